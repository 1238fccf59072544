// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.model.energy.MeasuredEnergy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.live.StartUp;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The simulator's word on the jobs: its own engine, the same policy, GPUs and budget, on what was measured live before. */
final class PowerForecast {
    private static final String GROUP = "worker";
    private static final long ROUND_MS = 60_000;

    /**
     * What is foretold of a job.
     *
     * @param jctSeconds from its submission to its end, s
     * @param joules of its GPUs, J
     */
    record Foretold(double jctSeconds, double joules) {}

    /**
     * What is foretold of all.
     *
     * @param jobs by name
     * @param mostWatts of all nodes with their GPUs, on average of the minute in which it is most, W
     */
    record Word(Map<String, Foretold> jobs, double mostWatts) {
        double meanJctSeconds() {
            return jobs.values().stream()
                    .mapToDouble(Foretold::jctSeconds)
                    .average()
                    .orElseThrow();
        }

        double allJoules() {
            return jobs.values().stream().mapToDouble(Foretold::joules).sum();
        }
    }

    private final Map<String, ProfileRecord> profiles;

    /** @param profiles by model tag */
    PowerForecast(Map<String, ProfileRecord> profiles) {
        this.profiles = Map.copyOf(profiles);
    }

    /**
     * What a job costs beside waiting and training is no matter of the simulator's: it is taken from the run. A job comes
     * to it when its first workers could have trained.
     *
     * @param arrivals seconds, in the order of {@code jobs}
     * @param startUps of the same run, in that order
     * @param budgetWatts what all nodes with all GPUs may draw, W
     * @throws DemoException where a model is not known
     */
    Word of(List<DemoJob> jobs, List<Double> arrivals, List<StartUp> startUps, String policy, double budgetWatts) {
        List<TraceJob> trace = new ArrayList<>();
        Map<String, Double> besides = new LinkedHashMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            StartUp cost = startUps.get(i);
            double before = cost.registerSeconds() + cost.idleSeconds();
            trace.add(traceJob(jobs.get(i), arrivals.get(i) + before));
            besides.put(jobs.get(i).name(), before + cost.farewellSeconds());
        }
        trace.sort(Comparator.comparingLong(TraceJob::submitMs));
        Outcome outcome = simulation(trace, gpuWatts(budgetWatts)).run(policy, ended -> {});
        Map<String, Foretold> foretold = new LinkedHashMap<>();
        for (JobRun run : outcome.jobs()) {
            double seconds = (run.endMs() - run.job().submitMs()) / 1e3;
            foretold.put(
                    run.job().id(),
                    new Foretold(seconds + besides.getOrDefault(run.job().id(), 0.0), run.joules()));
        }
        double most = outcome.drawn().map(Outcome.Drawn::mostWatts).orElse(0.0);
        return new Word(foretold, hostWatts() + most * (1 + PowerNodes.HOST_SLOPE));
    }

    private static double hostWatts() {
        return (double) PowerNodes.COUNT * PowerNodes.HOST_WATTS;
    }

    /** What is left of a budget for GPUs. */
    private static double gpuWatts(double budgetWatts) {
        return (budgetWatts - hostWatts()) / (1 + PowerNodes.HOST_SLOPE);
    }

    /** Of GPUs alone: what hosts draw is the same line over it, live. */
    private static Simulation simulation(List<TraceJob> trace, double gpuWatts) {
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, ROUND_MS, -1)
                .with(new Costs(PowerNodes.RESCALE_SECONDS, 0, PowerNodes.RESCALE_SECONDS))
                .with(EnergyRules.of(new EnergyBudget(EnergyBudget.Kind.WATTS, gpuWatts, 0)));
        SimCluster cluster = new SimCluster("live", List.of(new Partition("", nodes())), SimCluster.Sharing.NOTHING)
                .with(ClusterPower.of(0, PowerNodes.IDLE_WATTS, PowerNodes.GPU_WATTS));
        return new Simulation(cluster, trace, options);
    }

    private static List<NodeView> nodes() {
        return PowerNodes.ALL.stream()
                .map(shape -> new NodeView(
                        shape.name(),
                        "/default-rack",
                        ResourceVector.of(shape.gpus(), shape.vcores(), shape.memoryMiB())
                                .withWatts((long) shape.gpus() * PowerNodes.GPU_WATTS),
                        ResourceVector.ZERO,
                        ResourceVector.ZERO,
                        List.of(),
                        true))
                .toList();
    }

    private TraceJob traceJob(DemoJob job, double asksSeconds) {
        ProfileRecord profile = Optional.ofNullable(profiles.get(job.work().modelTag()))
                .orElseThrow(() ->
                        new DemoException("there is no profile of " + job.work().modelTag()));
        EnergyProfile energy = MeasuredEnergy.of(
                        profile.energy(), 1, job.workers(), 0, PowerNodes.GPU_WATTS, PowerNodes.IDLE_WATTS)
                .orElseThrow(
                        () -> new DemoException("the profile of " + job.work().modelTag() + " says nothing of energy"));
        double iterations = job.samples()
                / MeasuredEnergy.samplesOfIteration(energy, profile.energy()).orElseThrow();
        Training training = new Training(
                job.work().modelTag(), iterations, energy.seconds(0, energy.caps() - 1), Optional.of(energy));
        ResourceVector ask = ResourceVector.of(1, 1, PoweredSpecs.WORKER_MIB);
        return new TraceJob(
                        job.name(),
                        "",
                        Math.round(asksSeconds * 1000),
                        List.of(new TaskGroup(GROUP, 1, 1, ask, Set.of())),
                        training.work(),
                        Optional.empty(),
                        OptionalDouble.empty())
                .training(training);
    }
}
