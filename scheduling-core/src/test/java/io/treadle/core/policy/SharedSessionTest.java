// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two queues share nodes; each has its jobs in a session that goes on and in one that plans on a snapshot of everything.
 * They decide alike, start by start, whatever the other queue does and however the limits change.
 */
class SharedSessionTest {
    private static final int SEEDS = 150;
    private static final int STEPS = 25;
    private static final long CARD_MIB = 1000;

    @ParameterizedTest
    @CsvSource({
        "fifo+proportional, consolidate",
        "sjf+proportional, best-fit",
        "lsf+synergy-greedy, first-fit",
        "las+synergy-tune, free-gpu",
        "ftf+proportional, consolidate",
        "drf+proportional, dot-product",
        "fifo+proportional, packed",
    })
    void decidesAsOnSnapshots(String policyName, String placementName) {
        Policy policy = PolicyRegistry.BUILT_IN.policy(policyName, PolicyRegistry.BUILT_IN.placement(placementName));
        int started = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            started += new Run(policy, seed).run();
        }
        int total = started;
        assertTrue(total > SEEDS * STEPS / 2, () -> "hardly anything starts: " + total);
    }

    private record Queue(
            int index,
            SharedSession steady,
            SharedSession snapshots,
            Set<String> waiting,
            Map<String, JobView> running) {
        void limit(ResourceVector limit) {
            steady.limit(limit);
            snapshots.limit(limit);
        }

        void take(JobView job) {
            steady.othersTook(job);
            snapshots.othersTook(job);
        }

        void giveBack(JobView job) {
            steady.othersGaveBack(job);
            snapshots.othersGaveBack(job);
        }
    }

    private static final class Run {
        private final Random random;
        private final String name;
        private final List<Queue> queues = new ArrayList<>();
        private final Map<String, JobView> jobs = new LinkedHashMap<>();
        private final ResourceVector all;
        private int started;

        Run(Policy policy, long seed) {
            random = new Random(seed);
            name = policy.name() + ", seed " + seed;
            Snapshot cluster = cluster();
            all = cluster.capacity();
            for (int i = 0; i < 2; i++) {
                queues.add(new Queue(
                        i,
                        policy.openShared(cluster),
                        new SnapshotSession(cluster, now -> policy.plan(now).changes(now)),
                        new LinkedHashSet<>(),
                        new LinkedHashMap<>()));
            }
        }

        int run() {
            for (int step = 0; step < STEPS; step++) {
                for (Queue queue : queues) {
                    come(queue, step * 1000L);
                    end(queue);
                    if (random.nextInt(3) == 0) {
                        queue.limit(all.share(1 + random.nextInt(4), 4));
                    }
                }
                while (start(queues.get(random.nextInt(2)), step * 1000L)) {
                    started++;
                }
            }
            return started;
        }

        private void come(Queue queue, long nowMs) {
            for (int i = random.nextInt(4); i > 0; i--) {
                JobView job = job("job" + jobs.size(), nowMs);
                jobs.put(job.id(), job);
                queue.waiting().add(job.id());
                queue.steady().waits(job);
                queue.snapshots().waits(job);
            }
        }

        private void end(Queue queue) {
            for (JobView job : List.copyOf(queue.running().values())) {
                if (random.nextInt(4) == 0) {
                    queue.running().remove(job.id());
                    queue.steady().ended(job.id());
                    queue.snapshots().ended(job.id());
                    other(queue).giveBack(job);
                }
            }
        }

        private Queue other(Queue queue) {
            return queues.get(1 - queue.index());
        }

        private boolean start(Queue queue, long nowMs) {
            List<Decision> decided =
                    same(queue.steady().decideFirst(nowMs), queue.snapshots().decideFirst(nowMs));
            if (!decided.isEmpty() && random.nextInt(4) == 0) {
                // Another one is tried in its place, where there is one.
                withdraw(queue, decided.get(0).jobId());
                String only = List.copyOf(queue.waiting())
                        .get(random.nextInt(queue.waiting().size()));
                decided = same(
                        queue.steady().decideOnly(only, nowMs),
                        queue.snapshots().decideOnly(only, nowMs));
                if (!decided.isEmpty() && random.nextBoolean()) {
                    withdraw(queue, only);
                    return true;
                }
            }
            if (decided.isEmpty()) {
                return false;
            }
            JobView job =
                    started(Objects.requireNonNull(jobs.get(decided.get(0).jobId())), (Decision.Run) decided.get(0));
            queue.waiting().remove(job.id());
            queue.running().put(job.id(), job);
            queue.steady().runs(job);
            queue.snapshots().runs(job);
            other(queue).take(job);
            return true;
        }

        private static void withdraw(Queue queue, String jobId) {
            queue.steady().withdraw(jobId);
            queue.snapshots().withdraw(jobId);
        }

        /** At most one start and nothing else, for nothing is handed out in shares. */
        private List<Decision> same(List<Decision> steady, List<Decision> snapshots) {
            assertEquals(starts(snapshots), starts(steady), name);
            assertTrue(steady.size() <= 1, name);
            return steady;
        }

        private static List<Object> starts(List<Decision> decisions) {
            return decisions.stream()
                    .<Object>map(decision -> List.of(decision.jobId(), ((Decision.Run) decision).tasks()))
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
            boolean cards = random.nextBoolean();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                int gpus = 1 << random.nextInt(4);
                List<DeviceView> devices = new ArrayList<>();
                for (int card = 0; cards && card < gpus; card++) {
                    String model = random.nextBoolean() ? "A100" : "T4";
                    devices.add(new DeviceView("n" + i + "/" + card, model, CARD_MIB, 0, true));
                }
                nodes.add(new NodeView(
                        "n" + i,
                        "",
                        ResourceVector.of(gpus, 8 + random.nextInt(3) * 8, 65_536)
                                .withGpuMemoryMiB(cards ? gpus * CARD_MIB : 0),
                        ResourceVector.ZERO,
                        ResourceVector.ZERO,
                        devices,
                        true));
            }
            ResourceVector capacity =
                    nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
            QueueView queue = new QueueView("root.q", capacity, ResourceVector.ZERO);
            return new Snapshot(0, nodes, queue, List.of(), ResourceVector.ZERO, false);
        }

        private JobView job(String id, long nowMs) {
            int tasks = 1 << random.nextInt(3);
            boolean slice = random.nextInt(5) == 0;
            ResourceVector ask = ResourceVector.of(slice ? 0 : random.nextInt(3), random.nextInt(3), 512)
                    .withGpuMemoryMiB(slice ? 250 : 0);
            Set<String> models = random.nextInt(4) == 0 ? Set.of("A100") : Set.of();
            return new JobView(
                    id,
                    nowMs,
                    List.of(new TaskGroup("worker", tasks, tasks, ask, models)),
                    List.of(),
                    Optional.empty(),
                    false,
                    new Progress(0, 1 + random.nextInt(50), 1, 0),
                    Set.of());
        }
    }
}
