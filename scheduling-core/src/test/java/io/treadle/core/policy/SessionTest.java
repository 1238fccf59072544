// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where nothing is handed out in shares, a session that goes on decides as the policy does on a snapshot of everything,
 * decision by decision.
 */
class SessionTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 25;
    private static final SensitivityMatrix SPEED =
            SensitivityMatrix.overVcores(new long[] {1, 2, 5, 9}, new double[] {1, 1.9, 4, 6});
    private static final ResourceVector LARGE = ResourceVector.of(100, 1000, 1 << 20);

    @ParameterizedTest
    @CsvSource({
        "fifo+proportional, consolidate",
        "fifo+synergy-greedy, first-fit",
        "fifo+synergy-balanced, auto",
        "fifo+synergy-opt, auto",
        "sjf+proportional, best-fit",
        "lsf+proportional, first-fit",
        "fifo+proportional, free-gpu",
        "las+proportional, consolidate",
        "2d-las+proportional, best-fit",
        "gittins+proportional, best-fit",
        "lsf+proportional, buddy",
        "ftf+proportional, consolidate",
        "srsf+proportional, first-fit",
        "drf+synergy-greedy, consolidate",
        "tetris+proportional, consolidate",
    })
    void decidesAsOnSnapshots(String name, String placementName) {
        check(name, placementName, false);
    }

    @ParameterizedTest
    @CsvSource({
        "fifo+proportional, consolidate",
        "srtf+synergy-tune, first-fit",
        "srtf+synergy-balanced, auto",
        "srtf+synergy-opt, auto",
        "ftf+synergy-tune, best-fit",
        "las+synergy-greedy, consolidate",
    })
    void decidesAsOnSnapshotsWhereCpuGoesInShares(String name, String placementName) {
        check(name, placementName, true);
    }

    private static void check(String name, String placementName, boolean shares) {
        Policy policy = PolicyRegistry.BUILT_IN.policy(name, PolicyRegistry.BUILT_IN.placement(placementName));
        int started = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Snapshot cluster = cluster(random, shares);
            Session steady = policy.open(cluster);
            Session snapshots = new SnapshotSession(
                    cluster, snapshot -> policy.plan(snapshot).changes(snapshot));
            Map<String, JobView> running = new LinkedHashMap<>();
            Map<String, JobView> jobs = new LinkedHashMap<>();
            for (int step = 0; step < STEPS; step++) {
                long nowMs = step * 1000L;
                for (String id : List.copyOf(running.keySet())) {
                    if (random.nextInt(4) == 0) {
                        running.remove(id);
                        steady.ended(id);
                        snapshots.ended(id);
                    }
                }
                for (int i = random.nextInt(4); i > 0; i--) {
                    JobView job = job(random, "job" + jobs.size(), nowMs);
                    jobs.put(job.id(), job);
                    steady.waits(job);
                    snapshots.waits(job);
                }
                if (random.nextInt(3) == 0) {
                    String node = cluster.nodes()
                            .get(random.nextInt(cluster.nodes().size()))
                            .id();
                    boolean isOpen = random.nextInt(3) > 0;
                    steady.nodeOpens(node, isOpen);
                    snapshots.nodeOpens(node, isOpen);
                }
                List<Decision> decisions = steady.decide(nowMs);
                assertEquals(
                        changes(snapshots.decide(nowMs), running),
                        changes(decisions, running),
                        name + ", seed " + seed + ", step " + step);
                for (Decision decision : decisions) {
                    JobView job = running.getOrDefault(
                            decision.jobId(), java.util.Objects.requireNonNull(jobs.get(decision.jobId())));
                    JobView view = carriedOut(job, decision);
                    running.put(view.id(), view);
                    steady.runs(view);
                    snapshots.runs(view);
                    started += decision instanceof Decision.Run ? 1 : 0;
                }
            }
        }
        int total = started;
        assertTrue(total > SEEDS * STEPS / 4, () -> "hardly anything starts: " + total);
    }

    /** By job, what starts and what gets another size; without the words. */
    private static Map<String, List<Object>> changes(List<Decision> decisions, Map<String, JobView> running) {
        Map<String, List<Object>> changes = new LinkedHashMap<>();
        for (Decision decision : decisions) {
            List<TaskPlacement> starting = decision instanceof Decision.Run run ? run.tasks() : List.of();
            Map<String, ResourceVector> sizes = new LinkedHashMap<>(decision.sizes());
            JobView before = running.get(decision.jobId());
            if (before != null) {
                before.tasks().forEach(task -> sizes.remove(task.id(), task.size()));
            }
            changes.put(decision.jobId(), List.of(starting, sizes));
        }
        return changes;
    }

    private static Snapshot cluster(Random random, boolean shares) {
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
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(
                0,
                nodes,
                new QueueView("root.q", all, ResourceVector.ZERO),
                List.of(),
                shares ? LARGE : ResourceVector.ZERO,
                shares);
    }

    private static JobView job(Random random, String id, long nowMs) {
        int tasks = 1 << random.nextInt(3);
        int most = tasks + (random.nextInt(4) == 0 ? random.nextInt(3) : 0);
        return new JobView(
                id,
                nowMs,
                List.of(new TaskGroup(
                        "worker", tasks, most, ResourceVector.of(random.nextInt(3), random.nextInt(3), 512), Set.of())),
                List.of(),
                random.nextBoolean() ? Optional.empty() : Optional.of(SPEED),
                false,
                new Progress(0, 1 + random.nextInt(50), 1, 0),
                random.nextInt(6) == 0 ? Set.of("n1") : Set.of(),
                OptionalDouble.empty(),
                random.nextInt(3) == 0 ? random.nextInt(3) : 0);
    }

    private static JobView carriedOut(JobView job, Decision decision) {
        List<RunningTask> tasks = new ArrayList<>();
        for (RunningTask task : job.tasks()) {
            ResourceVector size = decision.sizes().getOrDefault(task.id(), task.size());
            tasks.add(new RunningTask(task.id(), task.group(), task.nodeId(), size, task.devices()));
        }
        for (TaskPlacement task : decision instanceof Decision.Run run ? run.tasks() : List.<TaskPlacement>of()) {
            tasks.add(new RunningTask(
                    job.id() + "#" + tasks.size(), task.group(), task.nodeId(), task.size(), task.devices()));
        }
        return new JobView(
                job.id(),
                job.submitMs(),
                job.groups(),
                tasks,
                job.profile(),
                false,
                job.progress(),
                job.avoidedNodes(),
                job.foretoldSeconds(),
                job.priority());
    }
}
