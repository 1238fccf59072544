// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.energy.PowerOff;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Runs rivals on the same work. */
final class PowerRuns {
    /** What another number of GPUs, other GPUs or a stop cost a job, s. */
    private static final double RESCALE_SECONDS = 30;

    private PowerRuns() {}

    /** What runs of several rivals may have in common. */
    private record Same(List<Rival.Point> points, double noise, boolean powerOff, String work, long seed) {
        static Same of(Task task) {
            Rival rival = task.rival();
            return new Same(
                    rival.points(), rival.noise(), rival.powerOff(), task.work().name(), task.seed());
        }
    }

    /** A rival on jobs of one seed. */
    record Task(Rival rival, PowerWork work, long seed) {}

    /**
     * A frontier for each task, in their order.
     *
     * @param progress is told how many runs are done
     */
    static List<Frontier> run(List<Task> tasks, int threads, IntConsumer progress) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Map<Same, List<Future<Frontier.Point>>> all = new HashMap<>();
            for (Task task : tasks) {
                all.computeIfAbsent(Same.of(task), same -> submit(task, pool));
            }
            List<Frontier> frontiers = new ArrayList<>();
            int done = 0;
            for (Task task : tasks) {
                List<Frontier.Point> reached = new ArrayList<>();
                for (Future<Frontier.Point> point : all.getOrDefault(Same.of(task), List.of())) {
                    reached.add(point.get());
                    progress.accept(++done);
                }
                frontiers.add(new Frontier(reached));
            }
            return frontiers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run failed: " + e.getCause(), e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static List<Future<Frontier.Point>> submit(Task task, ExecutorService pool) {
        Rival rival = task.rival();
        List<TraceJob> jobs = task.work().source().jobs(task.seed(), rival.noise());
        return rival.points().stream()
                .map(point -> pool.submit(() -> run(task.work().cluster(), point, rival.powerOff(), jobs)))
                .toList();
    }

    private static Frontier.Point run(SimCluster cluster, Rival.Point point, boolean powerOff, List<TraceJob> jobs) {
        EnergyRules budget = EnergyRules.of(point.budget());
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 300_000, -1)
                .with(new Costs(RESCALE_SECONDS, 0, RESCALE_SECONDS))
                .with(powerOff ? budget.with(PowerOff.USUAL) : budget);
        Outcome outcome = new Simulation(cluster, jobs, options).run(point.policy(), ended -> {});
        double seconds = outcome.jobs().stream()
                .mapToDouble(PowerRuns::jctSeconds)
                .average()
                .orElseThrow();
        return new Frontier.Point(point.words(), outcome.drawn().orElseThrow().joules() / 3.6e6, seconds);
    }

    private static double jctSeconds(JobRun job) {
        if (!job.isEnded()) {
            throw new IllegalStateException("job " + job.job().id() + " never ended");
        }
        return (job.endMs() - job.job().submitMs()) / 1000.0;
    }
}
