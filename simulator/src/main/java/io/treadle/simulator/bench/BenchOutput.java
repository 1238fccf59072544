// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes what a bench has found. */
public final class BenchOutput {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private BenchOutput() {}

    /**
     * Writes texts and, last, {@code summary.json}: where that is, all are.
     *
     * @param texts by the names of their files
     * @throws InputException if a file cannot be written
     */
    public static void write(Path directory, Map<String, String> texts, List<Compared> compared) {
        try {
            Files.createDirectories(directory);
            for (Map.Entry<String, String> text : texts.entrySet()) {
                byte[] bytes = text.getValue().getBytes(StandardCharsets.UTF_8);
                WholeFile.write(directory.resolve(text.getKey()), out -> out.write(bytes));
            }
            WholeFile.write(directory.resolve("summary.json"), out -> JSON.writeValue(out, compared));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }
}
