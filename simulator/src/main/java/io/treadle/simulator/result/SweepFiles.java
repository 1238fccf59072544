// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Streams;
import io.treadle.simulator.files.CsvRows;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The figures of a sweep: {@code summary.json} and, the same as a table, {@code sweep.csv}. */
public final class SweepFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private SweepFiles() {}

    /**
     * @param rows at least one
     * @throws InputException if a file cannot be written
     */
    public static void write(Path directory, List<SweepRow> rows) {
        try {
            WholeFile.write(directory.resolve("summary.json"), out -> JSON.writeValue(out, rows));
            WholeFile.write(directory.resolve("sweep.csv"), out -> table(out, rows));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void table(OutputStream bytes, List<SweepRow> rows) throws IOException {
        List<ObjectNode> objects =
                rows.stream().map(row -> JSON.<ObjectNode>valueToTree(row)).toList();
        List<String> names = Streams.stream(objects.get(0).fieldNames()).toList();
        try (CsvRows table = new CsvRows(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), names)) {
            for (ObjectNode object : objects) {
                table.add(names.stream()
                        .map(object::get)
                        .map(value -> value.isNull() ? "" : value.asText())
                        .toList());
            }
        }
    }
}
