// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a trace asks of a cluster before anything runs: GPU-seconds at the share, over the GPU-seconds there are between
 * the first submission and the last, those of faster and slower cards counted as what they do.
 */
public final class OfferedLoad {
    /**
     * One partition's.
     *
     * @param gpuSeconds what its jobs ask for; jobs that never end are left out
     * @param load over the GPU-seconds there are; infinite where all jobs come at once
     */
    public record Of(String partition, long gpus, int jobs, double gpuSeconds, double load) {}

    private final List<Of> partitions = new ArrayList<>();
    private final List<ModelLoad> models;
    private final double total;

    /** @throws InputException if a job belongs to no partition, or asks for more GPUs than its partition has */
    public OfferedLoad(SimCluster cluster, List<TraceJob> jobs) {
        // By name: a partition's own hash goes over all its nodes.
        Map<String, Double> seconds = new LinkedHashMap<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        Map<String, Long> gpusOf = new LinkedHashMap<>();
        CardSpeeds speeds = new CardSpeeds(cluster);
        Map<String, Double> fastOf = new LinkedHashMap<>();
        for (Partition partition : cluster.partitions()) {
            seconds.put(partition.name(), 0.0);
            gpusOf.put(partition.name(), partition.capacity().gpus());
            fastOf.put(partition.name(), speeds.gpus(partition));
        }
        for (TraceJob job : jobs) {
            Partition where = partition(cluster, job);
            String partition = where.name();
            if (job.work().ends()) {
                check(job, partition, Objects.requireNonNull(gpusOf.get(partition)));
                StorageAsks.check(cluster, where, job);
                seconds.merge(partition, job.gpus() * job.work().seconds(), Double::sum);
            }
            counts.merge(partition, 1, Integer::sum);
        }
        double span = (jobs.get(jobs.size() - 1).submitMs() - jobs.get(0).submitMs()) / 1000.0;
        seconds.forEach((partition, gpuSeconds) -> {
            long gpus = Objects.requireNonNull(gpusOf.get(partition));
            partitions.add(new Of(
                    partition,
                    gpus,
                    counts.getOrDefault(partition, 0),
                    gpuSeconds,
                    gpuSeconds == 0 ? 0 : gpuSeconds / (Objects.requireNonNull(fastOf.get(partition)) * span)));
        });
        double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
        double fast = fastOf.values().stream().mapToDouble(Double::doubleValue).sum();
        total = all == 0 ? 0 : all / (fast * span);
        models = ModelLoad.of(cluster, speeds, jobs, span);
    }

    private static Partition partition(SimCluster cluster, TraceJob job) {
        return cluster.partitionOf(job.queue())
                .orElseThrow(() -> new InputException("job '" + job.id() + "' is of queue '" + job.queue()
                        + "', which cluster " + cluster.name() + " does not have: it has "
                        + cluster.partitions().stream()
                                .flatMap(p -> p.queues().stream().sorted())
                                .toList()
                        + "."));
    }

    private static void check(TraceJob job, String partition, long gpus) {
        if (job.gpus() > gpus) {
            throw new InputException("job '" + job.id() + "' asks for " + job.gpus() + " GPUs, "
                    + (partition.isEmpty() ? "the cluster" : "partition " + partition) + " has " + gpus
                    + ": it could never run.");
        }
    }

    public List<Of> partitions() {
        return List.copyOf(partitions);
    }

    /** Of the models of GPUs that jobs name. */
    public List<ModelLoad> models() {
        return models;
    }

    /** Of the whole cluster; infinite where all jobs come at once. */
    public double total() {
        return total;
    }

    /**
     * The same jobs, their submissions moved together or apart so that the whole cluster's load is as wanted.
     *
     * @throws InputException if the load cannot be changed so: all jobs come at once, or none ends
     */
    public List<TraceJob> scaled(List<TraceJob> jobs, double wanted) {
        if (total == 0 || Double.isInfinite(total)) {
            throw new InputException("--load-factor " + wanted + " cannot be met: "
                    + (total == 0 ? "no job of the trace ends." : "all jobs of the trace come at once."));
        }
        long first = jobs.get(0).submitMs();
        double stretch = total / wanted;
        return jobs.stream()
                .map(job -> job.submittedAt(first + Math.round((job.submitMs() - first) * stretch)))
                .toList();
    }
}
