// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SharedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues decide the same whether each has a session that goes on or a plan on a snapshot of everything for each decision. */
class SharedQueuesTest {
    private static final int SEEDS = 150;
    private static final int STEPS = 25;

    @ParameterizedTest
    @CsvSource({
        "fifo, consolidate, false",
        "fifo, consolidate, true",
        "sjf, best-fit, true",
        "las, free-gpu, true",
        "drf, first-fit, true",
    })
    void decidesAsOnSnapshots(String policyName, String placementName, boolean reclaims) {
        Policy policy = PolicyRegistry.BUILT_IN.policy(policyName, PolicyRegistry.BUILT_IN.placement(placementName));
        Run total = new Run(policy, reclaims, 0);
        for (long seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(policy, reclaims, seed);
            run.run();
            total.started += run.started;
            total.stopped += run.stopped;
        }
        assertTrue(total.started > SEEDS * STEPS, () -> "hardly anything starts: " + total.started);
        assertEquals(reclaims, total.stopped > SEEDS / 2, () -> "stopped: " + total.stopped);
    }

    /** Plans on snapshots alone. */
    private record Planned(Policy policy) implements Policy {
        @Override
        public String name() {
            return policy.name();
        }

        @Override
        public Plan plan(Snapshot snapshot) {
            return policy.plan(snapshot);
        }
    }

    private static final class Run {
        private final Random random;
        private final String name;
        private final List<String> names;
        private final SharedQueues steady;
        private final SharedQueues planned;
        private final Map<String, String> queueOf = new HashMap<>();
        private final Map<String, JobView> jobs = new LinkedHashMap<>();
        private final Map<String, JobView> running = new LinkedHashMap<>();
        private int started;
        private int stopped;

        Run(Policy policy, boolean reclaims, long seed) {
            random = new Random(seed);
            name = policy.name() + ", seed " + seed;
            Snapshot cluster = cluster();
            SharedQueue root = Shares.random(random);
            names = root.leaves().map(SharedQueue::path).toList();
            steady = new SharedQueues(cluster, root, queue -> policy, this::queueOf, reclaims, QueuePower.NONE);
            planned = new SharedQueues(
                    cluster, root, queue -> new Planned(policy), this::queueOf, reclaims, QueuePower.NONE);
        }

        private String queueOf(String job) {
            return Objects.requireNonNull(queueOf.get(job));
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                long nowMs = step * 1000L;
                for (String id : List.copyOf(running.keySet())) {
                    if (random.nextInt(5) == 0) {
                        running.remove(id);
                        steady.ended(id);
                        planned.ended(id);
                    }
                }
                for (int i = random.nextInt(6); i > 0; i--) {
                    JobView job = job("job" + jobs.size(), nowMs);
                    queueOf.put(job.id(), names.get(random.nextInt(names.size())));
                    jobs.put(job.id(), job);
                    steady.waits(job);
                    planned.waits(job);
                }
                boolean more = true;
                while (more) {
                    more = decide(nowMs);
                }
            }
        }

        private boolean decide(long nowMs) {
            List<Decision> decisions = steady.decide(nowMs);
            assertEquals(texts(planned.decide(nowMs)), texts(decisions), name);
            List<JobView> stops = new ArrayList<>();
            for (Decision decision : decisions) {
                JobView job = Objects.requireNonNull(jobs.get(decision.jobId()));
                if (decision instanceof Decision.Run run) {
                    JobView view = started(job, run);
                    running.put(job.id(), view);
                    steady.runs(view);
                    planned.runs(view);
                    started++;
                } else {
                    running.remove(job.id());
                    stops.add(job);
                    stopped++;
                }
            }
            for (JobView job : stops) {
                steady.waits(job);
                planned.waits(job);
            }
            assertEquals(planned.wakesMs(), steady.wakesMs(), name);
            return !decisions.isEmpty();
        }

        private static List<String> texts(List<Decision> decisions) {
            return decisions.stream()
                    .map(d -> d.jobId() + (d instanceof Decision.Run run ? " " + run.tasks() : " stops"))
                    .toList();
        }

        private static JobView started(JobView job, Decision.Run run) {
            List<RunningTask> tasks = new ArrayList<>();
            for (TaskPlacement task : run.tasks()) {
                tasks.add(new RunningTask(
                        job.id() + "#" + tasks.size(), task.group(), task.nodeId(), task.size(), task.devices()));
            }
            return new JobView(
                    job.id(), job.submitMs(), job.groups(), tasks, job.profile(), false, job.progress(), Set.of());
        }

        private Snapshot cluster() {
            List<NodeView> nodes = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                nodes.add(new NodeView(
                        "n" + i,
                        "",
                        ResourceVector.of(1 << random.nextInt(4), 8 + random.nextInt(3) * 8, 65_536),
                        ResourceVector.ZERO,
                        ResourceVector.ZERO,
                        List.of(),
                        true));
            }
            ResourceVector all =
                    nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
            QueueView queue = new QueueView("", all, ResourceVector.ZERO);
            return new Snapshot(0, nodes, queue, List.of(), ResourceVector.ZERO, false);
        }

        private JobView job(String id, long nowMs) {
            int tasks = 1 << random.nextInt(3);
            return new JobView(
                    id,
                    nowMs,
                    List.of(new TaskGroup(
                            "worker",
                            tasks,
                            tasks,
                            ResourceVector.of(random.nextInt(3), random.nextInt(2), 512),
                            Set.of())),
                    List.of(),
                    Optional.empty(),
                    false,
                    new Progress(0, 1 + random.nextInt(50), 1, 0),
                    Set.of());
        }
    }
}
