// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Outages;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.cluster.SimCluster.Sharing;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Preemption and migration with CPU and memory in shares or not, in one queue or a tree of them, on clusters and jobs
 * drawn from seeds: every run is held to the rules of all runs, above all that no node gives out more than it has.
 */
class OptionsTogetherTest {
    private static final int SEEDS = 60;
    private static final int JOBS = 60;

    private static final SensitivityMatrix HUNGRY =
            SensitivityMatrix.overVcores(new long[] {1, 3, 6, 9}, new double[] {0.4, 1, 1.7, 2});
    private static final SensitivityMatrix MODEST =
            SensitivityMatrix.overVcores(new long[] {1, 3}, new double[] {1, 1});

    @ParameterizedTest
    @CsvSource({
        "srtf+proportional,     consolidate, NOTHING,        ONE, DRY",
        "srtf+synergy-greedy,   first-fit,   CPU_AND_MEMORY, ONE, DRY",
        "srtf+synergy-tune,     consolidate, CPU_AND_MEMORY, ONE, DRY",
        "srtf+synergy-balanced, auto,        CPU_AND_MEMORY, ONE, DRY",
        "las+synergy-balanced,  auto,        CPU_AND_MEMORY, ONE, DRY",
        "2d-las+synergy-tune,   best-fit,    CPU_AND_MEMORY, ONE, DRY",
        "srtf+proportional,     consolidate, NOTHING,        TREE, DRY",
        "fifo+synergy-greedy,   consolidate, CPU_AND_MEMORY, TREE, DRY",
        "fifo+synergy-tune,     consolidate, CPU_AND_MEMORY, TREE, DRY",
        "srtf+synergy-balanced, auto,        CPU_AND_MEMORY, TREE, DRY",
        "srtf+proportional,     consolidate, CPU_AND_MEMORY, ONE, READING",
        "srtf+synergy-tune,     consolidate, CPU_AND_MEMORY, ONE, READING",
        "srtf+synergy-balanced, auto,        CPU_AND_MEMORY, ONE, READING",
        "las+synergy-opt,       auto,        CPU_AND_MEMORY, ONE, READING",
        "fifo+synergy-tune,     consolidate, CPU_AND_MEMORY, TREE, READING",
        "srtf+synergy-balanced, auto,        CPU_AND_MEMORY, TREE, READING",
    })
    void noRuleIsBroken(String policy, String placement, Sharing sharing, String queues, String data) {
        long stops = 0;
        long moves = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            SharedQueue root = queues.equals("TREE") ? Shares.random(random) : Shares.queue("root", 1, 1);
            Set<String> takes = root.leaves().map(SharedQueue::path).collect(Collectors.toSet());
            boolean reads = data.equals("READING");
            List<NodeView> nodes = reads ? telling(nodes(random), new Random(~seed)) : nodes(random);
            Partition partition =
                    new Partition("all", nodes, takes, queues.equals("TREE") ? Optional.of(root) : Optional.empty());
            // What one of three nodes could draw, for all.
            long shared = partition.capacity().storageMBps() / 3;
            List<TraceJob> jobs = jobs(random, root, partition.capacity(), sharing);
            Workload workload = new Workload(
                    new SimCluster(
                            "test",
                            List.of(partition),
                            sharing,
                            Map.of(),
                            Outages.NONE,
                            shared,
                            java.util.Optional.empty()),
                    reads ? reading(jobs, new Random(~seed)) : jobs);
            SimulationOptions options =
                    new SimulationOptions(Compat.NONE, placement, true, MeasuredJobs.ALL, 300_000, -1).withMigration();
            String context = policy + ", seed " + seed;
            List<JobRun> runs;
            try {
                runs = Checked.run(workload, options, policy, Journal.NONE).jobs();
            } catch (RuntimeException e) {
                throw new AssertionError(context + ": " + e, e);
            }
            assertEquals(JOBS, runs.stream().filter(JobRun::isEnded).count(), context);
            stops += runs.stream().mapToLong(JobRun::preemptions).sum();
            moves += runs.stream().mapToLong(JobRun::migrations).sum();
        }
        assertTrue(stops > SEEDS, policy + ": stops " + stops);
        assertTrue(moves > SEEDS, policy + ": moves " + moves);
    }

    private static List<NodeView> nodes(Random random) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 3 + random.nextInt(3); i > 0; i--) {
            long gpus = random.nextBoolean() ? 4 : 8;
            nodes.add(new NodeView(
                    "n" + i,
                    "rack" + i % 2,
                    ResourceVector.of(gpus, gpus * (3 + random.nextInt(2)), gpus * 1024),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        return nodes;
    }

    private static List<NodeView> telling(List<NodeView> nodes, Random random) {
        return nodes.stream()
                .map(node -> new NodeView(
                        node.id(),
                        node.rack(),
                        node.capacity().withStorageMBps(100 + random.nextInt(900)),
                        node.othersUse(),
                        node.keptFree(),
                        node.devices(),
                        node.open()))
                .toList();
    }

    /** Those of which the speed is known read too, some more than they get. */
    private static List<TraceJob> reading(List<TraceJob> jobs, Random random) {
        return jobs.stream()
                .map(job -> job.profile().isEmpty()
                        ? job
                        : job.withProfile(reading(job.profile().get(), random.nextInt(300))))
                .toList();
    }

    private static SensitivityMatrix reading(SensitivityMatrix speed, int megabytesPerSecond) {
        long[] vcores = speed.vcores();
        double[][] speeds = new double[vcores.length][1];
        double[][] storage = new double[vcores.length][1];
        for (int c = 0; c < vcores.length; c++) {
            speeds[c][0] = speed.at(vcores[c], 0);
            storage[c][0] = speeds[c][0] * megabytesPerSecond;
        }
        return new SensitivityMatrix(vcores, new long[] {0}, speeds, storage);
    }

    private static List<TraceJob> jobs(Random random, SharedQueue root, ResourceVector all, Sharing sharing) {
        List<SharedQueue> queues =
                root.leaves().filter(q -> q.most(all).gpus() > 3).toList();
        List<TraceJob> jobs = new ArrayList<>();
        long nowMs = 0;
        for (int i = 0; i < JOBS; i++) {
            nowMs += random.nextInt(8) * 1000L;
            SharedQueue queue = queues.get(random.nextInt(queues.size()));
            int gpus = 1 + random.nextInt(3);
            int tasks = gpus == 1 ? 1 + random.nextInt(3) : 1;
            jobs.add(new TraceJob(
                    "j" + i,
                    queue.path(),
                    nowMs,
                    List.of(new TaskGroup("worker", tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of())),
                    Work.ofSeconds(1 + random.nextInt(60)),
                    gpus > 1 || sharing == Sharing.NOTHING
                            ? Optional.empty()
                            : Optional.of(random.nextBoolean() ? HUNGRY : MODEST),
                    OptionalDouble.empty()));
        }
        return jobs;
    }
}
