// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** {@link RandomClusters} whose nodes tell their storage bandwidth and whose jobs read, with a shared file system or not. */
final class ReadingClusters {
    private static final int MOST_MBPS = 2000;

    private final long seed;
    private final RandomClusters cluster;
    private final Map<String, NodeView> nodes = new HashMap<>();
    private final Map<String, JobView> jobs = new HashMap<>();
    private final Optional<SharedStorage> shared;

    ReadingClusters(long seed) {
        this.seed = seed;
        cluster = new RandomClusters(seed);
        Random random = new Random(~seed);
        long gpus = 0;
        long others = 0;
        for (NodeView node : cluster.snapshot().nodes()) {
            long storage = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(MOST_MBPS);
            long used = storage == 0 ? 0 : random.nextInt((int) Math.min(storage, 100));
            nodes.put(
                    node.id(),
                    new NodeView(
                            node.id(),
                            node.rack(),
                            node.capacity().withStorageMBps(storage),
                            node.othersUse().withStorageMBps(used),
                            node.keptFree(),
                            node.devices(),
                            node.open()));
            gpus += node.capacity().gpus();
            others += used;
        }
        long most = others + 1 + random.nextInt(2 * MOST_MBPS);
        shared = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(new SharedStorage(most, others / 2, gpus));
    }

    Snapshot snapshot() {
        Snapshot dry = cluster.snapshot();
        List<NodeView> reading = new ArrayList<>();
        dry.nodes().forEach(node -> reading.add(nodes.get(node.id())));
        List<JobView> readers = new ArrayList<>();
        dry.jobs().forEach(job -> readers.add(reader(job)));
        ResourceVector all = reading.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(
                        dry.nowMs(),
                        reading,
                        dry.queue().withLimit(dry.queue().limit().withStorageMBps(all.storageMBps())),
                        readers,
                        dry.memoryShared())
                .withSharedStorage(shared);
    }

    /** What a job reads stays from round to round. */
    private JobView reader(JobView job) {
        JobView first = jobs.computeIfAbsent(job.id(), id -> reads(job, new Random(seed * 31 + id.hashCode())));
        return new JobView(
                job.id(),
                job.submitMs(),
                first.groups(),
                job.tasks(),
                first.profile(),
                job.profiling(),
                job.progress(),
                job.avoidedNodes());
    }

    private static JobView reads(JobView job, Random random) {
        List<TaskGroup> groups = new ArrayList<>();
        for (TaskGroup group : job.groups()) {
            long asks = random.nextInt(8) == 0 ? random.nextInt(200) : 0;
            groups.add(new TaskGroup(
                    group.name(), group.min(), group.max(), group.ask().withStorageMBps(asks), group.gpuModels()));
        }
        return new JobView(
                job.id(),
                job.submitMs(),
                groups,
                job.tasks(),
                job.profile().map(speed -> random.nextInt(4) == 0 ? speed : reads(speed, random.nextInt(800))),
                job.profiling(),
                job.progress(),
                job.avoidedNodes());
    }

    /** All of it with the least memory, nothing with the most. */
    private static SensitivityMatrix reads(SensitivityMatrix speed, int megabytesPerSecond) {
        long[] vcores = speed.vcores();
        long[] memory = speed.memoryMiB();
        double[][] speeds = new double[vcores.length][memory.length];
        double[][] storage = new double[vcores.length][memory.length];
        for (int c = 0; c < vcores.length; c++) {
            for (int m = 0; m < memory.length; m++) {
                speeds[c][m] = speed.at(vcores[c], memory[m]);
                storage[c][m] = speeds[c][m] * megabytesPerSecond * (memory.length - m) / memory.length;
            }
        }
        return new SensitivityMatrix(vcores, memory, speeds, storage);
    }

    void next(Plan plan) {
        cluster.next(plan);
    }
}
