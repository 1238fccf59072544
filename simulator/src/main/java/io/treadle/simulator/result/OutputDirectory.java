// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Where the results of a command go. Each file is written beside its place and moved there when it is whole. */
public final class OutputDirectory {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;
    private final List<Summary> summaries = new ArrayList<>();

    /** @throws InputException if the directory cannot be made */
    public OutputDirectory(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException("--out " + directory + " cannot be made: " + e.getMessage() + ".", e);
        }
    }

    /** Writes the files of a policy that has run, and the summary of all so far. */
    public void add(Outcome outcome, Summary summary) {
        try {
            Path rows = directory.resolve("jobs-" + outcome.policy() + ".csv");
            Path draft = draft(rows);
            JobsFile.write(draft, outcome.jobs());
            move(draft, rows);
            add(summary);
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /** Writes the summary of all so far and of a policy whose files are there already. */
    public void add(Summary summary) {
        try {
            summaries.add(summary);
            Path file = directory.resolve("summary.json");
            Path draft = draft(file);
            JSON.writeValue(draft.toFile(), summaries);
            move(draft, file);
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static Path draft(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".new");
    }

    private static void move(Path draft, Path file) throws IOException {
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
