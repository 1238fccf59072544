// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.files.CsvRows;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own format, {@code docs/spec/trace.md}, and lists with the same columns under other names. */
final class TreadleReader implements TraceReader {
    private static final Pattern VERSION = Pattern.compile("#\\s*treadle-trace\\s+(\\S+).*");
    private static final Columns ID = Columns.of("job_id", "jobid", "jobname");
    private static final Columns QUEUE = Columns.of("queue", "vc");
    private static final Columns SUBMIT = Columns.of("submit_s", "submit_time");
    private static final Columns DURATION = Columns.of("duration_s", "duration");
    private static final Columns GPUS = Columns.of("gpus", "num_gpu");
    private static final ModelColumns MODEL = new ModelColumns("model", "batch");
    private static final Columns FORETOLD = Columns.of("foretold_s", "qssf_duration_estimate");

    @Override
    public String format() {
        return "treadle";
    }

    @Override
    public boolean recognises(Head head) {
        return VERSION.matcher(head.first()).matches()
                || (ID.isIn(head) && SUBMIT.isIn(head) && DURATION.isIn(head) && GPUS.isIn(head));
    }

    @Override
    public void read(Path file, Intake intake) {
        Matcher version = VERSION.matcher(Head.of(file).first());
        if (version.matches() && !version.group(1).equals("1")) {
            throw new InputException(
                    file + ", row 1: is version '" + version.group(1) + "' of the format treadle, must be 1.");
        }
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole(GPUS.in(row), 0, Shapes.MOST_GPUS);
        double seconds = row.number(DURATION.in(row), -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            long submitMs = row.secondsAsMs(SUBMIT.in(row));
            Optional<Sensitivity> sensitivity = SensitivityColumns.read(row);
            if (sensitivity.isPresent() || ElasticColumns.areIn(row)) {
                checkNoModel(row);
            }
            List<TaskGroup> groups = groups(row, gpus, sensitivity.isPresent(), intake.shapes());
            Optional<Training> training = MODEL.read(row, seconds, 1);
            TraceJob told = TraceJob.of(
                            CsvRows.read(row.text(ID.in(row))),
                            row.optional(QUEUE.in(row)).map(CsvRows::read).orElse(""),
                            submitMs,
                            groups,
                            ElasticColumns.work(row, seconds).dependingOn(sensitivity))
                    .ofUser(row.optional("user").map(CsvRows::read).orElse(""))
                    .foretold(row.anyNumber(FORETOLD.in(row)))
                    .that(History.of(secondsAsMs(row, "start_s"), secondsAsMs(row, "end_s")))
                    .with(new Attributes(priority(row), deadline(row, submitMs), state(row)));
            TraceJob job = training.map(told::training).orElse(told);
            intake.add(
                    row,
                    ID.in(row),
                    sensitivity
                            .flatMap(known -> intake.shapes().matrix(known, seconds, groups))
                            .map(job::withProfile)
                            .orElse(job));
        }
    }

    private static void checkNoModel(Row row) {
        row.optional(MODEL.model()).ifPresent(model -> {
            throw row.wrong(
                    MODEL.model(),
                    model,
                    "empty beside min_tasks, max_tasks, " + SensitivityColumns.DATASET + " and "
                            + SensitivityColumns.VCORE_SPEEDS + ": a model tells the speed on GPUs alone");
        });
    }

    /** @param alike whether all tasks are to be alike: what is known of the job is told of one of them */
    private static List<TaskGroup> groups(Row row, long gpus, boolean alike, Shapes shapes) {
        if (alike && ElasticColumns.areIn(row)) {
            throw row.wrong(
                    "min_tasks and max_tasks beside " + SensitivityColumns.DATASET + " or "
                            + SensitivityColumns.VCORE_SPEEDS,
                    "one or the other: what a task makes of vcores and data is told of a number of tasks that stays");
        }
        List<TaskGroup> shape = shape(row, gpus, shapes);
        return SensitivityColumns.asking(
                row,
                alike && shape.size() > 1
                        ? shapes.fewestAlike(gpus, shape.get(0).gpuModels())
                        : shape,
                shapes);
    }

    private static List<TaskGroup> shape(Row row, long gpus, Shapes shapes) {
        Set<String> models = row.optional("gpu_models")
                .map(CsvRows::read)
                .map(names -> Set.copyOf(List.of(names.split("\\|"))))
                .orElse(Set.of());
        if (ElasticColumns.areIn(row)) {
            return ElasticColumns.groups(row, GPUS.in(row), gpus, models, shapes);
        }
        if (row.optional("tasks").isEmpty()) {
            return models.isEmpty() ? shapes.onFewestNodes(gpus) : shapes.tasksOrFewest(1, gpus, models);
        }
        int tasks = (int) row.whole("tasks", 1, Shapes.MOST_GPUS);
        double each = row.number("gpus_per_task", Double.MIN_VALUE, Shapes.MOST_GPUS);
        if ((each > 1 && each != Math.rint(each)) || tasks * Math.ceil(each) != gpus) {
            throw row.wrong(
                    "gpus_per_task",
                    row.text("gpus_per_task"),
                    "a whole number, or a part of one GPU, such that " + tasks + " tasks of it have the job's " + gpus
                            + " GPUs");
        }
        return shapes.tasksOrFewest(tasks, each, models);
    }

    private static int priority(Row row) {
        return row.optional("priority").isEmpty() ? 0 : (int) row.whole("priority", 0, Attributes.MOST_PRIORITY);
    }

    private static OptionalLong deadline(Row row, long submitMs) {
        OptionalLong deadline = secondsAsMs(row, "deadline_s");
        if (deadline.isPresent() && deadline.getAsLong() < submitMs) {
            throw row.wrong(
                    "deadline_s",
                    row.text("deadline_s"),
                    "a time in seconds since the trace's zero, not before the job's submission");
        }
        return deadline.isEmpty() ? deadline : OptionalLong.of(deadline.getAsLong() - submitMs);
    }

    private static Optional<EndState> state(Row row) {
        return row.optional("state").map(word -> EndState.of(word)
                .orElseThrow(() -> row.wrong("state", word, "one of " + EndState.all() + ", or empty")));
    }

    private static OptionalLong secondsAsMs(Row row, String column) {
        return row.optional(column).isPresent() ? OptionalLong.of(row.secondsAsMs(column)) : OptionalLong.empty();
    }
}
