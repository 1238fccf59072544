// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.BlankSeparated;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The Standard Workload Format of the Parallel Workloads Archive: 18 numbers a job, {@code ;} before comments, -1 for what
 * is not known, seconds. Its processors, those given or else those asked for, are read as GPUs.
 */
final class SwfReader implements TraceReader {
    private static final List<String> FIELDS = List.of(
            "job",
            "submit",
            "wait",
            "run",
            "processors",
            "cpu",
            "memory",
            "asked_processors",
            "asked_time",
            "asked_memory",
            "status",
            "user",
            "group",
            "executable",
            "queue",
            "partition",
            "after",
            "think");
    private static final Pattern JOB = Pattern.compile("(-?[0-9.]+\\s+){17}-?[0-9.]+");
    private static final String UNKNOWN = "-1";

    @Override
    public String format() {
        return "swf";
    }

    @Override
    public boolean recognises(Head head) {
        return head.lines().stream()
                .filter(line -> !line.startsWith(";"))
                .findFirst()
                .filter(line -> JOB.matcher(line).matches())
                .isPresent();
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(new BlankSeparated(file, FIELDS, ';'), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        if (row.size() != FIELDS.size()) {
            throw row.wrong(row.size() + " fields", "the " + FIELDS.size() + " of the Standard Workload Format");
        }
        long given = row.whole("processors", -1, Shapes.MOST_GPUS);
        long gpus = given > 0 ? given : row.whole("asked_processors", -1, Shapes.MOST_GPUS);
        double seconds = row.number("run", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            long submitMs = row.secondsAsMs("submit");
            double wait = row.number("wait", -1, Row.MOST_SECONDS);
            Optional<History> ran = wait < 0
                    ? Optional.empty()
                    : Optional.of(new History(
                            submitMs + Math.round(wait * 1000), submitMs + Math.round((wait + seconds) * 1000)));
            intake.add(
                    row,
                    "job",
                    TraceJob.of(
                                    row.text("job"),
                                    known(row, "queue"),
                                    submitMs,
                                    intake.shapes().onFewestNodes(gpus),
                                    Work.ofSeconds(seconds))
                            .ofUser(known(row, "user"))
                            .that(ran));
        }
    }

    private static String known(Row row, String field) {
        return row.optional(field).filter(text -> !text.equals(UNKNOWN)).orElse("");
    }
}
