// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How long a plan takes, ms: the median of several, where all jobs are placed for the first time, and where most of them run.
 *
 * @param first nothing runs
 * @param running as after the first plan was carried out, a tenth of the jobs gone and as many come
 * @param limited the same under a limit on power that takes a search for the price
 */
record PlanCost(int jobs, long gpus, double first, double running, double limited) {
    private static final int GPUS_OF_NODE = 8;
    private static final int TRIALS = 7;
    private static final double LIMIT = 0.6;

    static PlanCost measure(long seed, int jobs, int nodes) {
        Policy policy = PolicyRegistry.BUILT_IN.policy("powerflow", new Auto());
        List<TraceJob> drawn = DrawnJobs.draw(seed, jobs + jobs / 10, 1, ClusterPower.A100, Rival.TRUTH);
        List<JobView> waiting = drawn.stream().map(job -> view(job, List.of())).toList();
        Snapshot first = snapshot(nodes, waiting.subList(0, jobs));
        List<JobView> then =
                new ArrayList<>(carriedOut(policy.plan(first), first).subList(jobs / 10, jobs));
        then.addAll(waiting.subList(jobs, waiting.size()));
        Snapshot running = snapshot(nodes, then);
        double peak = ClusterPower.A100.peakWatts(nodes, (long) nodes * GPUS_OF_NODE);
        Snapshot limited = running.with(ClusterPower.A100.view().withLimit(LIMIT * peak));
        return new PlanCost(
                jobs,
                (long) nodes * GPUS_OF_NODE,
                median(policy, first),
                median(policy, running),
                median(policy, limited));
    }

    private static double median(Policy policy, Snapshot snapshot) {
        double[] ms = new double[TRIALS];
        for (int i = -TRIALS; i < TRIALS; i++) {
            long start = System.nanoTime();
            policy.plan(snapshot);
            ms[Math.max(0, i)] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(ms);
        return ms[TRIALS / 2];
    }

    private static JobView view(TraceJob job, List<RunningTask> tasks) {
        TraceJob scalable = job.scalable();
        return new JobView(
                job.id(),
                job.submitMs(),
                scalable.groups(),
                tasks,
                Optional.empty(),
                false,
                new Progress(0, scalable.work().samples(), scalable.work().secondsPerSample(), 0),
                Set.of(),
                OptionalDouble.empty(),
                0,
                job.energy());
    }

    private static List<JobView> carriedOut(Plan plan, Snapshot snapshot) {
        return snapshot.jobs().stream()
                .map(job -> plan.of(job.id()).orElseThrow() instanceof Decision.Run run
                        ? job.withTasks(running(job.id(), run.tasks()))
                        : job)
                .toList();
    }

    private static List<RunningTask> running(String job, List<TaskPlacement> tasks) {
        List<RunningTask> running = new ArrayList<>();
        for (TaskPlacement task : tasks) {
            running.add(new RunningTask(
                    job + "#" + running.size(), task.group(), task.nodeId(), task.size(), task.devices()));
        }
        return running;
    }

    private static Snapshot snapshot(int count, List<JobView> jobs) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new NodeView(
                    "node-" + i,
                    "rack-" + i / 16,
                    ResourceVector.of(GPUS_OF_NODE, 96, 1 << 20).withWatts(GPUS_OF_NODE * 400),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(3_600_000, nodes, new QueueView("root", all, ResourceVector.ZERO), jobs, true)
                .with(new Overheads(Crossing.NONE, 30, 30))
                .with(ClusterPower.A100.view());
    }
}
