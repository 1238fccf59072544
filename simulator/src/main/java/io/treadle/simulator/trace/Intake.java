// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.JsonLine;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Rows;
import io.treadle.simulator.input.TableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Takes the jobs of a file as they are read and counts what it leaves out. */
final class Intake {
    /** What people should know about some of the jobs. */
    enum Remark {
        NO_GPUS("without GPUs left out"),
        NO_TIME("that did not run left out"),
        STILL_RUNS("that have not ended left out"),
        GPUS_DERIVED(
                "of YARN: their GPUs are GPU-seconds over run time, rounded up, and their tasks the fewest nodes'"),
        WAIT_IN_RUN_TIME(
                "of a YARN that tells no launch times: run times hold what they waited, GPUs are derived from both"),
        WHOLE_FOR_PART(
                "ask for a part of a GPU and get a whole one: the cluster does not tell the memory of its cards"),
        NO_SUCH_MODEL("want GPUs of a model that the cluster does not have, and cannot run"),
        STORAGE_NOT_TOLD(
                "ask for storage bandwidth, which does not count: the cluster does not tell its nodes' storageMBps"),
        NOT_IN_SHARES("tell how their speed depends on vcores or a dataset, which does not count: it does where CPU and"
                + " memory go in shares (sharing: cpu-and-memory) and all nodes with GPUs tell their vcores"),
        DATASET_NOT_COUNTED("read a dataset, which does not count: not all nodes with GPUs tell their storageMBps"),
        SPEED_OF_ONE_GPU("timed by the speed on one GPU: the table has none for theirs");

        private final String text;

        Remark(String text) {
            this.text = text;
        }
    }

    private static final int SHOWN = 3;
    private static final SimCluster NOWHERE = new SimCluster("", List.of(), SimCluster.Sharing.NOTHING);

    private final SimCluster cluster;
    private final Shapes shapes;
    private final boolean skipBadRows;
    private final List<TraceJob> jobs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final Map<Remark, Long> remarks = new EnumMap<>(Remark.class);
    private final List<String> firstBad = new ArrayList<>();
    private long bad;
    private boolean dated;

    Intake(SimCluster cluster, boolean skipBadRows) {
        this.cluster = cluster;
        this.shapes = new Shapes(cluster, this::remark);
        this.skipBadRows = skipBadRows;
    }

    private Intake(boolean skipBadRows) {
        this.cluster = NOWHERE;
        this.shapes = Shapes.asTold();
        this.skipBadRows = skipBadRows;
    }

    /** One for no cluster: jobs have the shapes that the trace itself tells. */
    static Intake asTold(boolean skipBadRows) {
        return new Intake(skipBadRows);
    }

    Shapes shapes() {
        return shapes;
    }

    /** How many jobs it has. */
    int size() {
        return jobs.size();
    }

    /** Reads the table's rows; one that cannot be used ends it, or is counted where that was asked for. */
    void rows(Rows table, Consumer<Row> reader) {
        table.forEach(row -> attempt(() -> reader.accept(row)));
    }

    /** Reads one job. */
    void attempt(Runnable reader) {
        try {
            reader.run();
        } catch (TableException e) {
            throw e;
        } catch (InputException e) {
            if (!skipBadRows) {
                throw new InputException(e.getMessage() + "\nMaybe leave such rows out: --skip-bad-rows.", e);
            }
            bad++;
            if (firstBad.size() < SHOWN) {
                firstBad.add(e.getMessage());
            }
        }
    }

    /** Whether a job is to be simulated; one without GPUs, or that never ran, is counted. */
    boolean wants(double gpus, double seconds) {
        if (gpus <= 0) {
            remark(Remark.NO_GPUS);
            return false;
        }
        if (seconds <= 0) {
            remark(Remark.NO_TIME);
            return false;
        }
        return true;
    }

    void remark(Remark remark) {
        remarks.merge(remark, 1L, Long::sum);
    }

    /** @throws InputException if there is a job of this name already */
    void add(TraceJob job) {
        if (!ids.add(job.id())) {
            throw new InputException("job '" + job.id() + "' is named twice.");
        }
        jobs.add(job);
    }

    /** @throws InputException naming the row if there is a job of this name already */
    void add(Row row, String idColumn, TraceJob job) {
        if (!ids.add(job.id())) {
            throw row.wrong(idColumn, job.id(), "named once");
        }
        jobs.add(job);
    }

    /** @throws InputException naming the line if there is a job of this name already */
    void add(JsonLine id, TraceJob job) {
        if (!ids.add(job.id())) {
            throw id.wrong("named once");
        }
        jobs.add(job);
    }

    /** Times are dates: the trace's zero becomes the first submission. */
    void isDated() {
        dated = true;
    }

    /**
     * All that came in.
     *
     * @param file what people call it
     * @throws InputException if there is nothing to simulate
     */
    Trace finish(String file, String format) {
        List<String> notes = remarks.entrySet().stream()
                .map(e -> String.format(Locale.ROOT, "%,d jobs %s", e.getValue(), e.getKey().text))
                .toList();
        List<String> skipped = new ArrayList<>();
        if (bad > 0) {
            skipped.add(String.format(
                    Locale.ROOT, "%,d bad rows of %s skipped%s", bad, file, bad > SHOWN ? ", the first three:" : ":"));
            skipped.addAll(firstBad);
        }
        if (jobs.isEmpty()) {
            throw new InputException(file + " holds no job that can be simulated, read as " + format + "."
                    + lines(notes) + lines(skipped));
        }
        long zero = dated ? jobs.stream().mapToLong(TraceJob::submitMs).min().orElse(0) : 0;
        List<TraceJob> sorted = jobs.stream()
                .map(job -> zero == 0 ? job : job.earlier(zero))
                .map(job -> EnergyProfiles.attach(job, cluster))
                .sorted(Comparator.comparingLong(TraceJob::submitMs))
                .toList();
        return new Trace(format, new Workload(cluster, sorted), notes, skipped);
    }

    private static String lines(List<String> texts) {
        return texts.stream().map(text -> "\n" + text).reduce("", String::concat);
    }
}
