// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import io.treadle.core.model.ps.PsSize;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.files.CsvRows;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes {@code jobs-<policy>.csv}: one row for each job, empty where it has no value. */
final class JobsFile {
    private static final String[] COLUMNS = {
        "jobId",
        "queue",
        "gpus",
        "submitSeconds",
        "startSeconds",
        "endSeconds",
        "jctSeconds",
        "energyJoules",
        "preemptions",
        "migrations",
        "nodes"
    };
    /** Behind the others where the trace says what ends are worth, or how fast jobs are on workers and servers. */
    private static final String[] SIZED_COLUMNS = {"utility", "workers", "servers"};

    private JobsFile() {}

    static void write(OutputStream bytes, List<JobRun> jobs) throws IOException {
        boolean sized = jobs.stream().anyMatch(JobsFile::isSized);
        String[] columns =
                sized ? Stream.of(COLUMNS, SIZED_COLUMNS).flatMap(Stream::of).toArray(String[]::new) : COLUMNS;
        try (CsvRows rows = new CsvRows(
                new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), 1 << 16), List.of(columns))) {
            for (JobRun job : jobs) {
                List<Object> row = new ArrayList<>(columns.length);
                Collections.addAll(
                        row,
                        job.job().id(),
                        job.job().queue(),
                        job.askedGpus(),
                        seconds(job.job().submitMs()),
                        job.isStarted() ? seconds(job.firstStartMs()) : "",
                        job.isEnded() ? seconds(job.endMs()) : "",
                        job.isEnded() ? seconds(job.endMs() - job.job().submitMs()) : "",
                        job.joules() > 0 ? Math.round(job.joules()) : "",
                        job.preemptions(),
                        job.migrations(),
                        String.join(";", job.nodes()));
                if (sized) {
                    row.add(job.worth().isPresent() ? figure(job.worth().getAsDouble()) : "");
                    row.add(job.servers()
                            .map(PsSize::workers)
                            .map(String::valueOf)
                            .orElse(""));
                    row.add(job.servers()
                            .map(PsSize::servers)
                            .map(String::valueOf)
                            .orElse(""));
                }
                rows.add(row);
            }
        }
    }

    private static boolean isSized(JobRun job) {
        return job.job().hasWorth() || job.job().sizing().model().isPresent();
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    /** Seconds with no more digits than they need. */
    static String seconds(long ms) {
        if (ms % 1000 == 0) {
            return Long.toString(ms / 1000);
        }
        String digits = String.format(Locale.ROOT, "%d.%03d", ms / 1000, Math.abs(ms % 1000));
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(0, end);
    }
}
