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
    private static final SimulationOptions OPTIONS =
            new SimulationOptions(Compat.NONE, PolicyRegistry.DEFAULT_PLACEMENT, false, MeasuredJobs.ALL, ROUND_MS, -1);

    private final List<NodeView> nodes;
    private final Map<String, ProfileRecord> profiles;
    private final StartUp startUp;

    /**
     * @param nodes alike
     * @param profiles by model tag
     */
    Forecast(List<NodeView> nodes, Map<String, ProfileRecord> profiles, StartUp startUp) {
        this.nodes = List.copyOf(nodes);
        this.profiles = Map.copyOf(profiles);
        this.startUp = startUp;
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
     * @param arrivals seconds, in the order of {@code jobs}
     * @return seconds from submission to end, by job
     */
    Map<String, Double> jctSeconds(List<DemoJob> jobs, List<Double> arrivals, String policy) {
        List<TraceJob> trace = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            trace.add(traceJob(jobs.get(i), arrivals.get(i)));
        }
        SimCluster cluster =
                new SimCluster("live", List.of(new Partition("", nodes)), SimCluster.Sharing.CPU_AND_MEMORY);
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (JobRun run :
                new Simulation(cluster, trace, OPTIONS).run(policy, ended -> {}).jobs()) {
            seconds.put(
                    run.job().id(),
                    startUp.registerSeconds() + (run.endMs() - run.job().submitMs()) / 1e3 + startUp.farewellSeconds());
        }
        return seconds;
    }

    /**
     * The job as the simulator takes it. It comes when its ApplicationMaster asks; while it holds GPUs and trains not, it
     * does as many samples more as it does in that time at its share.
     */
    TraceJob traceJob(DemoJob job, double arrivalSeconds) {
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
                Math.round((arrivalSeconds + startUp.registerSeconds()) * 1000),
                List.of(group),
                new Work(job.samples() + startUp.idleSeconds() * rate, 1 / rate),
                Optional.of(matrix),
                OptionalDouble.empty());
    }
}
