// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.sweep.SweepPoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes {@code runs.csv}, {@code bench.md}, {@code bench.html} and, last, {@code summary.json}. */
final class SynergyFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String HEADER =
            "order,jobsPerHour,split,gpus,seed,servers,cpusPerServer,rules,allocation,jobs,avgJctSeconds,p50JctSeconds,p99JctSeconds,makespanSeconds,gpuUtilization\n";

    private SynergyFiles() {}

    /** @throws InputException if a file cannot be written */
    static void write(Path directory, SynergyResult result) {
        try {
            text(directory.resolve("runs.csv"), runs(result.figures()));
            text(directory.resolve("bench.md"), Markdown.of(result));
            text(directory.resolve("bench.html"), SynergyPage.html(result));
            WholeFile.write(directory.resolve("summary.json"), out -> JSON.writeValue(out, result.compared()));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void text(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        WholeFile.write(file, out -> out.write(bytes));
    }

    private static String runs(Figures figures) {
        return figures.all().entrySet().stream()
                .map(run -> row(run.getKey().setting(), run.getKey().allocation(), run.getValue()))
                .collect(Collectors.joining("", HEADER, ""));
    }

    private static String row(Setting setting, String allocation, Summary summary) {
        JobList list = setting.list();
        return String.join(
                        ",",
                        setting.order(),
                        SweepPoint.text(list.jobsPerHour()),
                        list.splitBy("-"),
                        list.gpus(),
                        String.valueOf(list.seed()),
                        String.valueOf(setting.servers().count()),
                        String.valueOf(setting.servers().cpus()),
                        setting.rules().key(),
                        allocation,
                        String.valueOf(summary.jobs()),
                        String.valueOf(summary.avgJctSeconds()),
                        String.valueOf(summary.p50JctSeconds()),
                        String.valueOf(summary.p99JctSeconds()),
                        String.valueOf(summary.makespanSeconds()),
                        String.format(Locale.ROOT, "%.6f", summary.gpuUtilization()))
                + "\n";
    }
}
