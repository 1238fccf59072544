// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.plan.Throughput;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The program of a JVM that times rounds: what a ResourceManager asks its policy each time, on a snapshot of all nodes
 * and jobs. Rounds are repeated until the compiler has done its work, and then again as long.
 */
public final class RoundProbe {
    private static final int LEAST_ROUNDS = 3;
    private static final int ENDED = 100;
    private static final ObjectMapper JSON = new ObjectMapper();

    private RoundProbe() {}

    /** @param arguments a {@link RoundRequest} as JSON; the answer, {@link RoundCosts}, goes to standard output */
    public static void main(String[] arguments) throws IOException {
        try {
            RoundCosts costs = measure(JSON.readValue(arguments[0], RoundRequest.class));
            System.out.println(JSON.writeValueAsString(costs));
        } catch (InputException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    static RoundCosts measure(RoundRequest request) {
        Workload workload = new ReplayRequest(
                        Path.of(request.trace()),
                        "synergy",
                        false,
                        request.cluster(),
                        OptionalInt.empty(),
                        Experiment.DEFAULT,
                        OptionalDouble.empty())
                .read()
                .workload();
        Partition all = workload.cluster().partitions().get(0);
        List<JobView> jobs = workload.jobs().stream()
                .map(job -> waiting(job, request.times()))
                .toList();
        Snapshot anew =
                new Snapshot(0, all.nodes(), new QueueView("all", all.capacity(), ResourceVector.ZERO), jobs, true);
        PolicyRegistry known = PolicyRegistry.BUILT_IN;
        Policy policy = known.policy(request.policy(), known.placement(PolicyRegistry.DEFAULT_PLACEMENT));
        Plan plan = policy.plan(anew);
        Snapshot steady = steady(anew, plan);
        double missed = plan.throughput().map(Throughput::gap).orElse(-1.0);
        return new RoundCosts(timed(policy, anew, request.seconds()), timed(policy, steady, request.seconds()), missed);
    }

    private static JobView waiting(TraceJob job, int times) {
        List<TaskGroup> groups = job.groups().stream()
                .map(group -> new TaskGroup(
                        group.name(), group.min() * times, group.max() * times, group.ask(), group.gpuModels()))
                .toList();
        Progress progress = new Progress(0, job.work().samples(), job.work().secondsPerSample(), 0);
        return new JobView(job.id(), job.submitMs(), groups, List.of(), job.profile(), false, progress, Set.of());
    }

    /** A while after a round: all that it started runs, but every hundredth job, which has ended. */
    static Snapshot steady(Snapshot anew, Plan plan) {
        Map<String, Decision.Run> starts = new HashMap<>();
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Run run) {
                starts.put(run.jobId(), run);
            }
        }
        List<JobView> then = new ArrayList<>(anew.jobs().size());
        int started = 0;
        for (JobView job : anew.jobs()) {
            Decision.Run run = starts.get(job.id());
            if (run == null) {
                then.add(job);
            } else if (started++ % ENDED != 0) {
                then.add(running(job, run.tasks()));
            }
        }
        return anew.at(1, then);
    }

    private static JobView running(JobView job, List<TaskPlacement> placed) {
        List<RunningTask> tasks = new ArrayList<>(placed.size());
        for (TaskPlacement task : placed) {
            tasks.add(new RunningTask(
                    job.id() + '#' + tasks.size(), task.group(), task.nodeId(), task.size(), task.devices()));
        }
        return new JobView(
                job.id(), job.submitMs(), job.groups(), tasks, job.profile(), false, job.progress(), Set.of());
    }

    private static RoundCost timed(Policy policy, Snapshot snapshot, double seconds) {
        repeat(policy, snapshot, seconds, 1);
        return RoundCost.of(repeat(policy, snapshot, seconds, LEAST_ROUNDS));
    }

    private static long[] repeat(Policy policy, Snapshot snapshot, double seconds, int least) {
        List<Long> nanos = new ArrayList<>();
        long start = System.nanoTime();
        long decisions = 0;
        long before = start;
        while (nanos.size() < least || before - start < seconds * 1e9) {
            decisions += policy.plan(snapshot).decisions().size();
            long after = System.nanoTime();
            nanos.add(after - before);
            before = after;
        }
        // What nobody looks at need not be done.
        if (decisions != (long) nanos.size() * snapshot.jobs().size()) {
            throw new IllegalStateException("a round decides on each job once");
        }
        return nanos.stream().mapToLong(one -> one).toArray();
    }
}
