// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Migration;
import io.treadle.simulator.files.CsvRows;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** {@code migrations-<policy>.csv}: a row for each move of a running job. */
public final class MigrationsFile {
    private static final String[] COLUMNS = {
        "seconds",
        "jobId",
        "gpus",
        "fromNodes",
        "toNodes",
        "nodesEmptied",
        "lostGpuSeconds",
        "wouldEndSeconds",
        "letStartJobId",
        "letStartSeconds"
    };

    private MigrationsFile() {}

    public static void write(OutputStream bytes, List<Migration> migrations) throws IOException {
        try (CsvRows rows = new CsvRows(
                new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), 1 << 16), List.of(COLUMNS))) {
            for (Migration one : migrations) {
                rows.add(
                        JobsFile.seconds(one.atMs()),
                        one.job().job().id(),
                        one.job().gpus(),
                        String.join(";", one.from()),
                        String.join(";", one.to()),
                        one.nodesEmptied(),
                        String.format(Locale.ROOT, "%.3f", one.lostGpuSeconds()),
                        JobsFile.seconds(one.wouldEndMs()),
                        one.letStart().map(JobRun::toString).orElse(""),
                        one.letStart().isPresent() ? JobsFile.seconds(one.letStartMs()) : "");
            }
        }
    }

    /** All of them in one line, for a terminal. */
    public static String words(List<Migration> migrations) {
        return String.format(
                Locale.ROOT,
                "%,d migrations: %,d let a job start earlier, %,d nodes emptied, %.1f GPU-h lost",
                migrations.size(),
                migrations.stream().filter(one -> one.letStart().isPresent()).count(),
                migrations.stream().mapToLong(Migration::nodesEmptied).sum(),
                migrations.stream().mapToDouble(Migration::lostGpuSeconds).sum() / 3600);
    }
}
