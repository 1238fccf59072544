// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole simulations with trees of queues drawn from seeds. Every task has one GPU, so that wherever GPUs are free there
 * is room. After each moment no queue is above its maximum and no job waits that could start; where queues take back
 * what is theirs, no job waits with which its queue and all above it would be within their guarantees.
 */
class SharedQueuesPropertiesTest {
    private static final int SEEDS = 200;
    private static final int JOBS = 60;

    @ParameterizedTest
    @CsvSource({"fifo, false", "fifo, true", "sjf, true", "lsf, false"})
    void holdsAfterEachMoment(String policy, boolean reclaims) {
        int stops = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            SharedQueue root = Shares.random(random);
            List<NodeView> nodes = new ArrayList<>();
            for (int i = 2 + random.nextInt(3); i > 0; i--) {
                nodes.add(new NodeView(
                        "n" + i,
                        "",
                        ResourceVector.of(4, 0, 0),
                        ResourceVector.ZERO,
                        ResourceVector.ZERO,
                        List.of(),
                        true));
            }
            Set<String> takes = root.leaves().map(SharedQueue::path).collect(Collectors.toSet());
            Partition partition = new Partition("all", nodes, takes, Optional.of(root));
            Watch watch = new Watch(root, partition.capacity(), reclaims, policy + ", seed " + seed);
            List<JobRun> runs = new Simulation(
                            new SimCluster("test", List.of(partition), SimCluster.Sharing.NOTHING),
                            jobs(random, root, partition.capacity()),
                            new SimulationOptions(Compat.NONE, "first-fit", reclaims, MeasuredJobs.ALL, 300_000, -1))
                    .run(policy, ended -> {}, watch)
                    .jobs();
            assertTrue(runs.stream().allMatch(JobRun::isEnded), policy + ", seed " + seed);
            stops += runs.stream().mapToInt(JobRun::preemptions).sum();
        }
        assertEquals(reclaims, stops > SEEDS, "stops: " + stops);
    }

    private static List<TraceJob> jobs(Random random, SharedQueue root, ResourceVector all) {
        List<SharedQueue> queues =
                root.leaves().filter(q -> q.most(all).gpus() > 0).toList();
        List<TraceJob> jobs = new ArrayList<>();
        long nowMs = 0;
        for (int i = 0; i < JOBS; i++) {
            nowMs += random.nextInt(4) * 1000L;
            SharedQueue queue = queues.get(random.nextInt(queues.size()));
            int tasks = 1 + random.nextInt((int) Math.min(6, queue.most(all).gpus()));
            jobs.add(new TraceJob(
                    "j" + i,
                    queue.path(),
                    nowMs,
                    List.of(new TaskGroup("worker", tasks, tasks, ResourceVector.of(1, 0, 0), Set.of())),
                    Work.ofSeconds(1 + random.nextInt(30)),
                    Optional.empty(),
                    OptionalDouble.empty()));
        }
        return jobs;
    }

    /** Counts on its own what each queue holds. */
    private static final class Watch implements Journal {
        private final SharedQueue root;
        private final ResourceVector all;
        private final boolean reclaims;
        private final String name;
        private final Map<String, Long> used = new HashMap<>();
        private final Map<String, List<SharedQueue>> pathTo = new HashMap<>();
        private final Set<JobRun> waiting = new LinkedHashSet<>();
        private long lastMs = -1;

        Watch(SharedQueue root, ResourceVector all, boolean reclaims, String name) {
            this.root = root;
            this.all = all;
            this.reclaims = reclaims;
            this.name = name;
            walk(root, List.of());
        }

        private void walk(SharedQueue queue, List<SharedQueue> above) {
            List<SharedQueue> path = new ArrayList<>(above);
            path.add(queue);
            used.put(queue.path(), 0L);
            pathTo.put(queue.path(), path);
            queue.children().forEach(child -> walk(child, path));
        }

        private List<SharedQueue> path(JobRun job) {
            return Objects.requireNonNull(pathTo.get(job.job().queue()));
        }

        private long used(SharedQueue queue) {
            return Objects.requireNonNull(used.get(queue.path()));
        }

        private void at(long nowMs) {
            if (nowMs > lastMs) {
                check();
                lastMs = nowMs;
            }
        }

        private void check() {
            for (List<SharedQueue> path : pathTo.values()) {
                SharedQueue queue = path.get(path.size() - 1);
                assertTrue(used(queue) <= queue.most(all).gpus(), () -> name + " at " + lastMs + ": " + queue.path());
            }
            for (JobRun job : waiting) {
                boolean couldStart = path(job).stream()
                        .allMatch(q -> used(q) + job.gpus() <= q.most(all).gpus());
                assertFalse(couldStart, () -> name + " at " + lastMs + ": " + job + " could start");
                boolean isSure = path(job).stream()
                        .filter(queue -> !queue.path().equals(root.path()))
                        .allMatch(q -> used(q) + job.gpus() <= q.guarantee(all).gpus());
                assertFalse(reclaims && isSure, () -> name + " at " + lastMs + ": " + job + " is within guarantees");
            }
        }

        private void charge(JobRun job, long gpus) {
            path(job).forEach(queue -> used.merge(queue.path(), gpus, Long::sum));
        }

        @Override
        public void came(JobRun job, long nowMs) {
            at(nowMs);
            waiting.add(job);
        }

        @Override
        public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
            at(nowMs);
            waiting.remove(job);
            charge(job, job.gpus());
        }

        @Override
        public void stopped(JobRun job, long nowMs) {
            at(nowMs);
            SharedQueue queue = path(job).get(path(job).size() - 1);
            assertTrue(
                    used(queue) > queue.guarantee(all).gpus(),
                    () -> name + " at " + nowMs + ": " + job + " was not borrowed");
            waiting.add(job);
            charge(job, -job.gpus());
        }

        @Override
        public void ended(JobRun job, long nowMs) {
            at(nowMs);
            charge(job, -job.gpus());
        }
    }
}
