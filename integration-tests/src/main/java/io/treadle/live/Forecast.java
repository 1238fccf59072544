// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.NodeShape;
import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.demo.JobSpecs;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The simulator's word on the mix: its own engine, policies and placement, on what was recorded live. */
final class Forecast {
    private static final String GROUP = "worker";
    private static final long ROUND_MS = 300_000;
    /** After so many, mean speeds change by less than a thousandth. */
    private static final int TURNS = 8;

    private static final SimulationOptions OPTIONS =
            new SimulationOptions(Compat.NONE, PolicyRegistry.DEFAULT_PLACEMENT, false, MeasuredJobs.ALL, ROUND_MS, -1);

    private final List<NodeView> nodes;
    private final Map<String, ProfileRecord> profiles;

    /**
     * @param nodes alike
     * @param profiles by model tag
     */
    Forecast(List<NodeView> nodes, Map<String, ProfileRecord> profiles) {
        this.nodes = List.copyOf(nodes);
        this.profiles = Map.copyOf(profiles);
    }

    /**
     * A node as the ResourceManager shows it to policies while {@code appMasters} run there: the simulator has none, so
     * that what they hold is kept free.
     */
    static NodeView node(NodeShape shape, double appMasters) {
        List<DeviceView> devices = new ArrayList<>();
        for (DeviceShape device : shape.devices()) {
            for (int i = 0; i < device.count(); i++) {
                devices.add(new DeviceView(
                        SimCluster.gpuName(shape.name(), devices.size()), device.model(), device.memoryMiB(), 0, true));
            }
        }
        return new NodeView(
                shape.name(),
                "/default-rack",
                ResourceVector.of(shape.gpus(), shape.vcores(), shape.memoryMiB()),
                ResourceVector.ZERO,
                ResourceVector.of(
                        0,
                        LiveNodes.RESERVED_VCORES,
                        LiveNodes.SPARE_MIB + Math.round(appMasters * JobSpecs.APP_MASTER_MIB)),
                devices,
                true);
    }

    /**
     * What a job costs beside waiting and training is no matter of the simulator's: it is taken from the run. A job comes
     * when its ApplicationMaster asks. While it holds GPUs and trains not, it does as many samples more as it does in that
     * time at its own mean speed, which is found by turns.
     *
     * @param arrivals seconds, in the order of {@code jobs}
     * @param startUps of the same run, in that order
     * @return seconds from submission to end, by job
     */
    Map<String, Double> jctSeconds(List<DemoJob> jobs, List<Double> arrivals, List<StartUp> startUps, String policy) {
        List<TraceJob> plain = new ArrayList<>();
        double[] rates = new double[jobs.size()];
        for (int i = 0; i < rates.length; i++) {
            plain.add(traceJob(jobs.get(i), arrivals.get(i) + startUps.get(i).registerSeconds()));
            rates[i] = 1 / plain.get(i).work().secondsPerSample();
        }
        double[] seconds = new double[rates.length];
        for (int turn = 0; turn < TURNS; turn++) {
            List<TraceJob> trace = new ArrayList<>();
            for (int i = 0; i < rates.length; i++) {
                trace.add(more(plain.get(i), startUps.get(i).idleSeconds() * rates[i]));
            }
            for (JobRun run : simulation(trace).run(policy, ended -> {}).jobs()) {
                TraceJob job = run.job();
                int i = indexOf(jobs, job.id());
                rates[i] = job.work().samples() * 1e3 / (run.endMs() - run.firstStartMs());
                seconds[i] = startUps.get(i).registerSeconds()
                        + (run.endMs() - job.submitMs()) / 1e3
                        + startUps.get(i).farewellSeconds();
            }
        }
        Map<String, Double> byJob = new LinkedHashMap<>();
        for (int i = 0; i < seconds.length; i++) {
            byJob.put(jobs.get(i).name(), seconds[i]);
        }
        return byJob;
    }

    private Simulation simulation(List<TraceJob> trace) {
        SimCluster cluster =
                new SimCluster("live", List.of(new Partition("", nodes)), SimCluster.Sharing.CPU_AND_MEMORY);
        List<TraceJob> byArrival = new ArrayList<>(trace);
        byArrival.sort(Comparator.comparingLong(TraceJob::submitMs));
        return new Simulation(cluster, byArrival, OPTIONS);
    }

    private static int indexOf(List<DemoJob> jobs, String name) {
        return jobs.stream().map(DemoJob::name).toList().indexOf(name);
    }

    private static TraceJob more(TraceJob job, double samples) {
        Work work = new Work(job.work().samples() + samples, job.work().secondsPerSample());
        return new TraceJob(job.id(), "", job.submitMs(), job.groups(), work, job.profile(), OptionalDouble.empty());
    }

    /** The job as the simulator takes it, with nothing but its training. */
    TraceJob traceJob(DemoJob job, double asksSeconds) {
        ProfileRecord profile = Optional.ofNullable(profiles.get(job.work().modelTag()))
                .orElseThrow(() ->
                        new DemoException("there is no profile of " + job.work().modelTag()));
        SensitivityMatrix matrix = ProfiledMatrix.of(profile)
                .orElseThrow(
                        () -> new DemoException("the profile of " + job.work().modelTag() + " is empty"));
        ResourceVector ask =
                ResourceVector.of(job.gpusPerWorker(), job.vcoresPerWorker(), JobSpecs.workerMiB(job.work()));
        ResourceVector share = nodes.get(0).share(job.gpusPerWorker());
        double rate = matrix.at(share.vcores(), share.memoryMiB()) * job.workers() / profile.workers();
        TaskGroup group = new TaskGroup(GROUP, job.workers(), job.workers(), ask, Set.copyOf(job.gpuModels()));
        return new TraceJob(
                job.name(),
                "",
                Math.round(asksSeconds * 1000),
                List.of(group),
                new Work(job.samples(), 1 / rate),
                Optional.of(matrix),
                OptionalDouble.empty());
    }
}
