// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.cluster.PowerView;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.input.InputException;
import java.util.List;
import java.util.Locale;

/** Ends a run in which jobs wait for power that will never be there: policies that look again and again would do so for ever. */
final class Deadlock {
    /** For so long nothing runs and nothing comes before that counts as for ever, ms: what jobs wait counts in policies. */
    private static final long DAY_MS = 86_400_000;

    private static final long NEVER = Long.MIN_VALUE;

    private final SimCluster cluster;
    private final String what;
    private final long patienceMs;
    private long idleSinceMs = NEVER;

    Deadlock(SimCluster cluster, SimulationOptions options) {
        this.cluster = cluster;
        EnergyBudget budget = options.energy().budget();
        this.what = "--budget is '" + budget.text() + "'"
                + (QueueBudgets.of(cluster, options).isEmpty() ? "" : ", and queues have power budgets of their own");
        // Another window, or another hour of the grid, may give what this one does not.
        long windowMs = Math.round(2 * budget.hours() * 3_600_000);
        long gridMs = options.energy()
                .carbon()
                .map(grid -> Math.max(0, grid.lastMs()))
                .orElse(0L);
        this.patienceMs = DAY_MS + windowMs + gridMs + 2 * options.decideEveryMs();
    }

    /** Something runs, or is to come: there is hope. */
    void lives() {
        idleSinceMs = NEVER;
    }

    /**
     * Nothing runs, and nothing is to come.
     *
     * @param limit what is kept to now
     * @throws InputException if it has been so for long, and jobs wait
     */
    void idles(long nowMs, List<EventLoop.Arrival> jobs, PowerView limit) {
        if (idleSinceMs == NEVER) {
            idleSinceMs = nowMs;
        }
        if (nowMs - idleSinceMs <= patienceMs) {
            return;
        }
        List<JobRun> waiting = jobs.stream()
                .map(EventLoop.Arrival::job)
                .filter(job -> !job.isEnded() && !job.isRunning())
                .toList();
        if (waiting.isEmpty() || jobs.stream().anyMatch(arrival -> arrival.job().isRunning())) {
            lives();
            return;
        }
        ClusterPower power = cluster.power().orElseThrow();
        throw new InputException(String.format(
                Locale.ROOT,
                "%s: %,d jobs would wait for ever, job '%s' first. Of %,.0f W that all nodes may draw they"
                        + " draw %,.0f W with idle GPUs; with what is left the policy starts none of these jobs.%n"
                        + "Maybe a larger budget: a job that tells no model draws the limit of each GPU that it asks for.",
                what,
                waiting.size(),
                waiting.get(0),
                limit.limitWatts(),
                cluster.nodes() * power.nodeWatts() + cluster.capacity().gpus() * power.idleGpuWatts()));
    }
}
