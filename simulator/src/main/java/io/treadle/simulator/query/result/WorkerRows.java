// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.WorkerFigures;
import io.treadle.simulator.report.Strips;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Workers one by one. */
final class WorkerRows {
    private static final int MOST_WORKERS = 64;

    private WorkerRows() {}

    /** Busy ms of stretches of a length that is a power of two of the worker's own. */
    static double[] stretched(WorkerFigures worker, double lengthMs, int stretches) {
        double[] own = worker.busy().sums();
        double[] all = new double[stretches];
        for (int i = 0; i < own.length; i++) {
            int place = (int) (i * worker.busy().lengthMs() / lengthMs);
            all[Math.min(place, stretches - 1)] += own[i];
        }
        return all;
    }

    static Strips strips(QueryRun run) {
        double lengthMs = run.workers().stream()
                .mapToDouble(worker -> worker.busy().lengthMs())
                .max()
                .orElseThrow();
        int stretches = (int) (run.endMs() / lengthMs) + 1;
        List<Strips.Strip> rows = new ArrayList<>();
        for (int i = 0; i < Math.min(MOST_WORKERS, run.workers().size()); i++) {
            double[] busy = stretched(run.workers().get(i), lengthMs, stretches);
            rows.add(new Strips.Strip(
                    "worker " + i,
                    IntStream.range(0, stretches)
                            .mapToObj(at -> Math.min(1, busy[at] / lengthMs))
                            .toList()));
        }
        return new Strips(
                rows,
                run.workers().size() > MOST_WORKERS
                        ? "The first " + MOST_WORKERS + " of " + run.workers().size() + " workers."
                        : "");
    }

    /** The first row is the head. */
    static List<List<String>> table(QueryRun run) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("worker", "tasks", "busy", "waits for models", "cache hits", "models dropped"));
        for (int i = 0; i < Math.min(MOST_WORKERS, run.workers().size()); i++) {
            WorkerFigures worker = run.workers().get(i);
            long needed = worker.hits() + worker.misses();
            rows.add(List.of(
                    String.valueOf(i),
                    String.format(Locale.ROOT, "%,d", worker.tasks()),
                    QueryTable.percent(run.endMs() == 0 ? null : worker.busyMs() / run.endMs()),
                    QueryTable.percent(run.endMs() == 0 ? null : worker.fetchWaitMs() / run.endMs()),
                    QueryTable.percent(needed == 0 ? null : (double) worker.hits() / needed),
                    String.format(Locale.ROOT, "%,d", worker.evictions())));
        }
        return rows;
    }
}
