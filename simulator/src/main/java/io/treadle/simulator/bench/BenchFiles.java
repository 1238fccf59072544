// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes {@code summary.json}, {@code cost.csv} and {@code bench.html}. */
final class BenchFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private BenchFiles() {}

    /** @throws InputException if a file cannot be written */
    static void write(Path directory, BenchResult result) {
        try {
            byte[] cost = cost(result).getBytes(StandardCharsets.UTF_8);
            WholeFile.write(directory.resolve("cost.csv"), out -> out.write(cost));
            byte[] page = BenchPage.html(result).getBytes(StandardCharsets.UTF_8);
            WholeFile.write(directory.resolve("bench.html"), out -> out.write(page));
            WholeFile.write(directory.resolve("summary.json"), out -> JSON.writeValue(out, compared(result.known())));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /** Those rows of which another's cost is known. */
    static List<Compared> compared(List<BenchRow> rows) {
        return rows.stream()
                .flatMap(row -> row.published().stream()
                        .map(theirs -> Compared.least(row.name(), row.allCpuSeconds(), theirs.seconds(), "s")))
                .toList();
    }

    private static String cost(BenchResult result) {
        StringBuilder text =
                new StringBuilder("jobs,nodes,policy,events,runSeconds,warmSeconds,runCpuSeconds,allCpuSeconds\n");
        Stream.of(result.large(), result.byJobs(), result.byNodes())
                .flatMap(List::stream)
                .forEach(row -> text.append(String.format(
                        Locale.ROOT,
                        "%d,%d,%s,%d,%.3f,%.3f,%.3f,%.3f\n",
                        row.jobs(),
                        row.nodes(),
                        row.policy(),
                        row.runs().get(0).events(),
                        row.runSeconds(),
                        row.warmSeconds(),
                        row.runCpuSeconds(),
                        row.allCpuSeconds())));
        return text.toString();
    }
}
