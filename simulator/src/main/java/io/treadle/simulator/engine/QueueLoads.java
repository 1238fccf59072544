// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a trace asks of queues with capacities, before anything runs. */
public final class QueueLoads {
    /**
     * One queue's.
     *
     * @param gpus that it is sure to get
     * @param most GPUs that it may hold
     * @param load GPU-seconds that its jobs ask for, over those that it is sure to get between the first submission of
     *     all jobs and the last; infinite where it is sure of none or all jobs come at once, 0 where no job of it ends
     */
    public record Of(String partition, String path, long gpus, long most, int jobs, double load) {}

    private static final class Sum {
        private int jobs;
        private double gpuSeconds;
    }

    private QueueLoads() {}

    /**
     * One for each queue that takes jobs; none where no queue has a capacity.
     *
     * @throws InputException if a job asks for more GPUs than its queue may ever hold
     */
    public static List<Of> of(SimCluster cluster, List<TraceJob> jobs) {
        List<Of> loads = new ArrayList<>();
        if (cluster.partitions().stream().allMatch(p -> p.root().isEmpty())) {
            return loads;
        }
        double span = (jobs.get(jobs.size() - 1).submitMs() - jobs.get(0).submitMs()) / 1000.0;
        Map<String, List<TraceJob>> byPartition = new HashMap<>();
        for (TraceJob job : jobs) {
            cluster.partitionOf(job.queue()).ifPresent(p -> byPartition
                    .computeIfAbsent(p.name(), name -> new ArrayList<>())
                    .add(job));
        }
        for (Partition partition : cluster.partitions()) {
            partition
                    .root()
                    .ifPresent(root -> loads.addAll(
                            of(partition, root, byPartition.getOrDefault(partition.name(), List.of()), span)));
        }
        return loads;
    }

    private static List<Of> of(Partition partition, SharedQueue root, List<TraceJob> jobs, double span) {
        ResourceVector all = partition.capacity();
        Map<String, SharedQueue> takers = new HashMap<>();
        Map<String, Sum> sums = new HashMap<>();
        root.leaves().forEach(queue -> queue.takes().forEach(name -> takers.put(name, queue)));
        for (TraceJob job : jobs) {
            SharedQueue queue = takers.getOrDefault(job.queue(), takers.get(SharedQueue.ALL_OTHERS));
            if (queue == null) {
                continue;
            }
            Sum sum = sums.computeIfAbsent(queue.path(), path -> new Sum());
            sum.jobs++;
            long most = queue.most(all).gpus();
            if (job.gpus() > most && job.work().ends()) {
                throw new InputException("job '" + job.id() + "' asks for " + job.gpus() + " GPUs, queue "
                        + queue.path() + " may hold " + most + " at most: it could never run.");
            }
            sum.gpuSeconds += job.work().ends() ? job.gpus() * job.work().seconds() : 0;
        }
        return root.leaves()
                .map(queue -> {
                    Sum sum = sums.getOrDefault(queue.path(), new Sum());
                    double sure = queue.capacity() * all.gpus() * span;
                    return new Of(
                            partition.name(),
                            queue.path(),
                            queue.guarantee(all).gpus(),
                            queue.most(all).gpus(),
                            sum.jobs,
                            sum.gpuSeconds == 0 ? 0 : sum.gpuSeconds / sure);
                })
                .toList();
    }
}
