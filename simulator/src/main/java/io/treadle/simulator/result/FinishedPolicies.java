// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which policies of a run that was interrupted, or is asked for again, need not run again: those whose results lie in
 * the output directory and were made by the same build from the same files and options.
 */
public final class FinishedPolicies {
    /** In the output directory, where what is kept of finished policies lies. */
    public static final String FOLDER = ".finished";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final String fingerprint;

    /** What is kept of a policy beside its files. */
    record Kept(String fingerprint, Summary summary) {}

    /** @param fingerprint of all that decides the results beside the policy */
    public FinishedPolicies(Path directory, String fingerprint) {
        this.directory = directory;
        this.fingerprint = fingerprint;
    }

    /** The summary of a policy that need not run again. */
    public Optional<Summary> find(String policy) {
        Path file = file(policy);
        if (!Files.exists(file) || !Files.exists(directory.resolve("jobs-" + policy + ".csv"))) {
            return Optional.empty();
        }
        try {
            Kept kept = JSON.readValue(file.toFile(), Kept.class);
            return kept.fingerprint().equals(fingerprint) ? Optional.of(kept.summary()) : Optional.empty();
        } catch (IOException e) {
            // Cut short or written by something else: the policy runs again.
            return Optional.empty();
        }
    }

    /** Remembers a policy whose files are written. */
    public void add(Summary summary) {
        try {
            Files.createDirectories(file(summary.policy()).getParent());
            WholeFile.write(file(summary.policy()), out -> JSON.writeValue(out, new Kept(fingerprint, summary)));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private Path file(String policy) {
        return directory.resolve(FOLDER).resolve(policy + ".json");
    }
}
