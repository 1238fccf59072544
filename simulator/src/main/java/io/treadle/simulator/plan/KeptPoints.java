// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.Hashing;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Figures of simulations that an earlier call has done, whichever goals it had. */
final class KeptPoints {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final String fingerprint;

    /** What is kept. */
    record Kept(String fingerprint, Figures figures) {}

    /** @param fingerprint of all that decides figures beside size and policy */
    KeptPoints(Path directory, String fingerprint) {
        this.directory = directory;
        this.fingerprint = fingerprint;
    }

    Optional<Figures> find(String sizing, Candidate candidate) {
        Path file = file(sizing, candidate);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Kept kept = JSON.readValue(file.toFile(), Kept.class);
            return kept.fingerprint().equals(fingerprint) ? Optional.of(kept.figures()) : Optional.empty();
        } catch (IOException e) {
            // Cut short or written by something else: it is simulated again.
            return Optional.empty();
        }
    }

    /** @throws InputException if it cannot be written */
    void add(String sizing, Candidate candidate, Figures figures) {
        try {
            Files.createDirectories(directory);
            Path file = file(sizing, candidate);
            WholeFile.write(file, out -> JSON.writeValue(out, new Kept(fingerprint, figures)));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /** A queue's name may hold anything. */
    private Path file(String sizing, Candidate candidate) {
        Shares shares = candidate.shares();
        String name = sizing
                + ' '
                + candidate.nodes()
                + ' '
                + candidate.policy()
                + (shares.isEmpty() ? "" : " " + shares.plain());
        return directory.resolve(Hashing.sha256().hashString(name, StandardCharsets.UTF_8) + ".json");
    }
}
