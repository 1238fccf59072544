// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.files.CsvRows;
import io.treadle.simulator.files.OutFile;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds the results of a directory against history and writes {@code calibration.json} and {@code calibration.csv} there. */
public final class CalibrationFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;
    private final Map<String, TraceJob> jobs = new HashMap<>();

    /**
     * @param jobs of the trace
     * @throws InputException if none of them has a history
     */
    public CalibrationFiles(Path directory, List<TraceJob> jobs) {
        this.directory = directory;
        check(jobs);
        jobs.stream().filter(job -> job.history().isPresent()).forEach(job -> this.jobs.put(job.id(), job));
    }

    /** @throws InputException if none of the jobs has a history */
    public static void check(List<TraceJob> jobs) {
        if (jobs.stream().noneMatch(job -> job.history().isPresent())) {
            throw new InputException(
                    "--calibrate needs a trace that says when its jobs really ran: this one has no start"
                            + " and end of any job.");
        }
    }

    /** One for each policy whose jobs are in the directory, in their order. */
    public List<Calibration> of(List<String> policies) {
        List<Calibration> all = policies.stream().distinct().map(this::of).toList();
        write(all);
        return all;
    }

    private Calibration of(String policy) {
        Path file = directory.resolve("jobs-" + policy + ".csv");
        List<Twice> both = new ArrayList<>();
        Table.withHeader(file).forEach(row -> {
            TraceJob job = jobs.get(CsvRows.read(row.text("jobId")));
            if (job != null
                    && row.optional("startSeconds").isPresent()
                    && row.optional("endSeconds").isPresent()) {
                both.add(new Twice(job, job.history().orElseThrow(), ms(row, "startSeconds"), ms(row, "endSeconds")));
            }
        });
        if (both.isEmpty()) {
            throw new InputException(
                    "no job with a history has ended under " + policy + ": there is nothing to compare.");
        }
        return Calibration.of(policy, both);
    }

    private static long ms(Row row, String column) {
        return row.secondsAsMs(column);
    }

    private void write(List<Calibration> all) {
        try {
            WholeFile.write(directory.resolve("calibration.json"), out -> JSON.writeValue(out, all));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
        OutFile.write(directory.resolve("calibration.csv"), out -> {
            List<String> names = List.of(
                    "policy",
                    "grouping",
                    "group",
                    "jobs",
                    "realMeanWaitSeconds",
                    "simulatedMeanWaitSeconds",
                    "realMedianWaitSeconds",
                    "simulatedMedianWaitSeconds",
                    "realMeanJctSeconds",
                    "simulatedMeanJctSeconds",
                    "realMedianJctSeconds",
                    "simulatedMedianJctSeconds",
                    "closeShare");
            CsvRows rows = new CsvRows(out, names);
            for (Calibration one : all) {
                row(rows, one.policy(), one.all());
                for (Gap gap : one.groups()) {
                    row(rows, one.policy(), gap);
                }
            }
        });
    }

    private static void row(CsvRows rows, String policy, Gap gap) throws IOException {
        rows.add(
                policy,
                gap.grouping(),
                gap.group(),
                gap.jobs(),
                gap.realMeanWaitSeconds(),
                gap.simulatedMeanWaitSeconds(),
                gap.realMedianWaitSeconds(),
                gap.simulatedMedianWaitSeconds(),
                gap.realMeanJctSeconds(),
                gap.simulatedMeanJctSeconds(),
                gap.realMedianJctSeconds(),
                gap.simulatedMedianJctSeconds(),
                gap.closeShare());
    }
}
