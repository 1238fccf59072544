// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.engine.Migration;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the results of a command go.  */
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

    /** Writes the rows of a policy that has run. */
    public void write(Outcome outcome) {
        try {
            Path rows = directory.resolve("jobs-" + outcome.policy() + ".csv");
            WholeFile.write(rows, out -> JobsFile.write(out, outcome.jobs()));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /** Writes what came of each move of a running job under a policy. */
    public void write(String policy, List<Migration> migrations) {
        try {
            WholeFile.write(
                    directory.resolve("migrations-" + policy + ".csv"), out -> MigrationsFile.write(out, migrations));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /** Writes the summary of all so far and of a policy whose files are there already. */
    public void add(Summary summary) {
        try {
            summaries.add(summary);
            Path file = directory.resolve("summary.json");
            WholeFile.write(file, out -> JSON.writeValue(out, summaries));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }
}
