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
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The simulator's word on the jobs, by what was measured of them live: same policy, same budget, same GPUs. */
final class PowerForecast {
    /** What is foretold of a job: from its submission to its end, s, and the energy of its GPUs, J. */
    record Foretold(double jctSeconds, double joules) {}

    private final Map<String, ProfileRecord> profiles;
    private final double rescaleSeconds;

    /**
     * @param profiles by model tag
     * @param rescaleSeconds that a job does nothing when it gets other GPUs, s
     */
    PowerForecast(Map<String, ProfileRecord> profiles, double rescaleSeconds) {
        this.profiles = Map.copyOf(profiles);
        this.rescaleSeconds = rescaleSeconds;
    }

    /**
     * @param asksSeconds when each job asks for its GPUs, s, in the order of {@code jobs}
     * @param budgetWatts what all nodes with all GPUs may draw, W
     * @return by the job's name; {@code jctSeconds} from when it asks
     */
    Map<String, Foretold> of(List<DemoJob> jobs, List<Double> asksSeconds, String policy, double budgetWatts) {
        List<TraceJob> trace = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            trace.add(traceJob(jobs.get(i), asksSeconds.get(i)));
        }
        // Of the nodes themselves nothing is asked: jobs' energies are those of their GPUs.
        double hosts = (double) PowerNodes.COUNT * PowerNodes.HOST_WATTS;
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 60_000, -1)
                .with(new Costs(rescaleSeconds, 0, rescaleSeconds))
                .with(EnergyRules.of(new EnergyBudget(EnergyBudget.Kind.WATTS, budgetWatts - hosts, 0)));
        SimCluster cluster = new SimCluster("live", List.of(new Partition("", nodes())), SimCluster.Sharing.NOTHING)
                .with(ClusterPower.of(0, PowerNodes.IDLE_WATTS, PowerNodes.GPU_WATTS));
        Map<String, Foretold> foretold = new LinkedHashMap<>();
        for (JobRun run :
                new Simulation(cluster, trace, options).run(policy, ended -> {}).jobs()) {
            foretold.put(run.job().id(), new Foretold((run.endMs() - run.job().submitMs()) / 1e3, run.joules()));
        }
        return foretold;
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
        ResourceVector ask = ResourceVector.of(1, 1, 256);
        return new TraceJob(
                        job.name(),
                        "",
                        Math.round(asksSeconds * 1000),
                        List.of(new TaskGroup("worker", 1, 1, ask, Set.of())),
                        training.work(),
                        Optional.empty(),
                        OptionalDouble.empty())
                .training(training);
    }
}
