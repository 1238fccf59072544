// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.files.CsvRows;
import io.treadle.simulator.files.OutFile;
import io.treadle.simulator.input.InputException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** Writes traces in our own format, {@code docs/spec/trace.md}: columns that no job fills are left out. */
public final class TraceFile {
    private static final Map<String, Function<TraceJob, String>> REQUIRED = new LinkedHashMap<>();
    private static final Map<String, Function<TraceJob, String>> OPTIONAL = new LinkedHashMap<>();

    static {
        REQUIRED.put("job_id", TraceJob::id);
        REQUIRED.put("submit_s", job -> seconds(job.submitMs()));
        REQUIRED.put("gpus", job -> String.valueOf(gpus(job)));
        REQUIRED.put("duration_s", job -> plain(job.work().seconds()));
        OPTIONAL.put("queue", TraceJob::queue);
        OPTIONAL.put("user", TraceJob::user);
        OPTIONAL.put(
                "tasks",
                job -> isOneWhole(group(job)) ? "" : String.valueOf(group(job).min()));
        OPTIONAL.put("gpus_per_task", job -> isOneWhole(group(job)) ? "" : plain(gpusPerTask(group(job))));
        OPTIONAL.put(
                "min_tasks", job -> job.isElastic() ? String.valueOf(group(job).min()) : "");
        OPTIONAL.put(
                "max_tasks", job -> job.isElastic() ? String.valueOf(group(job).max()) : "");
        OPTIONAL.put(
                "scaling",
                job -> job.work().scaling() == 1 ? "" : plain(job.work().scaling()));
        OPTIONAL.put(
                "gpu_models", job -> String.join("|", new TreeSet<>(group(job).gpuModels())));
        OPTIONAL.put(
                "foretold_s",
                job -> job.foretoldSeconds().isEmpty()
                        ? ""
                        : plain(job.foretoldSeconds().getAsDouble()));
        OPTIONAL.put(SensitivityColumns.STORAGE, job -> {
            long storage = group(job).min() * group(job).ask().storageMBps();
            return storage == 0 ? "" : String.valueOf(storage);
        });
        OPTIONAL.put(
                SensitivityColumns.VCORE_SPEEDS,
                job -> job.work().sensitivity().map(Sensitivity::vcoreSpeeds).orElse(""));
        dataset(SensitivityColumns.DATASET, read -> plain(read.mib()));
        dataset(SensitivityColumns.EPOCHS, read -> plain(read.epochs()));
        dataset(SensitivityColumns.WORKING, read -> String.valueOf(read.workingMiB()));
        dataset(SensitivityColumns.CACHEABLE, read -> read.cacheable() == 1 ? "" : plain(read.cacheable()));
        training("model", Training::model);
        training("batch", training -> String.valueOf(training.batch()));
        OPTIONAL.put("start_s", job -> ran(job, History::startMs));
        OPTIONAL.put("end_s", job -> ran(job, History::endMs));
        OPTIONAL.put(
                "priority",
                job -> job.attributes().priority() == 0
                        ? ""
                        : String.valueOf(job.attributes().priority()));
        OPTIONAL.put(
                "deadline_s",
                job -> job.attributes().deadlineMs().isEmpty()
                        ? ""
                        : seconds(job.submitMs() + job.attributes().deadlineMs().getAsLong()));
        OPTIONAL.put(
                "state", job -> job.attributes().state().map(EndState::text).orElse(""));
    }

    private TraceFile() {}

    private static void training(String column, Function<Training, String> value) {
        OPTIONAL.put(column, job -> job.training()
                .filter(training -> training.batch() > 0)
                .map(value)
                .orElse(""));
    }

    private static void dataset(String column, Function<Dataset, String> value) {
        OPTIONAL.put(column, job -> job.work()
                .sensitivity()
                .flatMap(Sensitivity::dataset)
                .map(value)
                .orElse(""));
    }

    /**
     * @param file packed where its name ends in {@code .gz}
     * @param jobs as {@link Traces#told} gives them
     * @return what of them the format cannot hold, for people
     * @throws InputException if it cannot be written, or a job is one that our format has no words for
     */
    public static List<String> write(Path file, List<TraceJob> jobs) {
        jobs.forEach(TraceFile::check);
        Map<String, Function<TraceJob, String>> columns = new LinkedHashMap<>(REQUIRED);
        OPTIONAL.forEach((name, value) -> {
            if (jobs.stream().anyMatch(job -> !value.apply(job).isEmpty())) {
                columns.put(name, value);
            }
        });
        OutFile.write(file, out -> {
            out.write("# treadle-trace 1\n");
            CsvRows table = new CsvRows(out, List.copyOf(columns.keySet()));
            for (TraceJob job : jobs) {
                table.add(columns.values().stream()
                        .map(column -> column.apply(job))
                        .toList());
            }
        });
        List<String> lost = new ArrayList<>();
        lost(lost, jobs.stream().filter(TraceFile::losesSpeeds).count(), "their speed over CPU and memory");
        lost(lost, jobs.stream().filter(TraceFile::losesTraining).count(), "what they train, step by step");
        return lost;
    }

    private static boolean losesSpeeds(TraceJob job) {
        return job.profile().isPresent() && job.work().sensitivity().isEmpty();
    }

    private static boolean losesTraining(TraceJob job) {
        return job.training().filter(training -> training.batch() == 0).isPresent();
    }

    private static void lost(List<String> lost, long jobs, String what) {
        if (jobs > 0) {
            lost.add(String.format(
                    java.util.Locale.ROOT, "%,d jobs lose %s: the format has no column for it", jobs, what));
        }
    }

    private static void check(TraceJob job) {
        if (!job.work().ends()) {
            throw new InputException("job '" + job.id() + "' never ends, as all of format openb: our own format holds"
                    + " jobs that end.");
        }
        if (job.groups().size() != 1) {
            throw new InputException("job '" + job.id() + "' has "
                    + job.groups().size() + " kinds of tasks: our own format holds jobs whose tasks are all alike.");
        }
    }

    private static TaskGroup group(TraceJob job) {
        return job.groups().get(0);
    }

    /** A task that our format needs no words for. */
    private static boolean isOneWhole(TaskGroup group) {
        return group.min() == 1 && group.ask().gpuMemoryMiB() == 0;
    }

    private static double gpusPerTask(TaskGroup group) {
        return group.ask().gpus() + (double) group.ask().gpuMemoryMiB() / Shapes.TOLD_CARD;
    }

    private static long gpus(TraceJob job) {
        return group(job).min() * (long) Math.ceil(gpusPerTask(group(job)));
    }

    /** Empty where it was before the trace's zero, which only a log with wrong clocks can say. */
    private static String ran(TraceJob job, Function<History, Long> when) {
        return job.history()
                .filter(history -> history.startMs() >= 0)
                .map(history -> seconds(when.apply(history)))
                .orElse("");
    }

    private static String seconds(long ms) {
        return plain(BigDecimal.valueOf(ms, 3));
    }

    static String plain(double value) {
        return plain(new BigDecimal(Double.toString(value)));
    }

    private static String plain(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }
}
