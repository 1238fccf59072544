// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A simulated cluster.
 *
 * @param name what people call it
 * @param partitions at least one
 * @param sharing what beside GPUs is handed out in shares
 * @param speeds how fast a GPU of each model is, 1 for the model in whose time the trace states its jobs; models that it
 *     does not name are of speed 1
 * @param outages when nodes are down
 * @param sharedStorageMBps what all nodes together can read from the file system that they share, MB/s; 0 for no limit
 * @param power what nodes and GPUs draw, where that is known
 */
public record SimCluster(
        String name,
        List<Partition> partitions,
        Sharing sharing,
        Map<String, Double> speeds,
        Outages outages,
        long sharedStorageMBps,
        Optional<ClusterPower> power) {
    /** What jobs get beyond what they ask for. */
    public enum Sharing {
        /** Nothing: each job holds what it asks for. */
        NOTHING,
        /** CPU, host memory and, where nodes tell it, storage bandwidth, in proportion to GPUs at least. */
        CPU_AND_MEMORY
    }

    public SimCluster {
        partitions = List.copyOf(partitions);
        speeds = Map.copyOf(speeds);
    }

    /** One whose GPUs are all as fast and whose nodes never fail. */
    public SimCluster(String name, List<Partition> partitions, Sharing sharing) {
        this(name, partitions, sharing, Map.of(), Outages.NONE, 0, Optional.empty());
    }

    /** The same with other nodes in its partitions. */
    public SimCluster with(List<Partition> others) {
        return new SimCluster(name, others, sharing, speeds, outages, sharedStorageMBps, power);
    }

    /** The same whose nodes are down at other times. */
    public SimCluster with(Outages others) {
        return new SimCluster(name, partitions, sharing, speeds, others, sharedStorageMBps, power);
    }

    /** The same of which is known what it draws. */
    public SimCluster with(ClusterPower draws) {
        List<Partition> drawing = partitions.stream()
                .map(partition -> partition.withNodes(partition.nodes().stream()
                        .map(node -> node.withWatts(Math.round(node.capacity().gpus() * draws.gpuWatts())))
                        .toList()))
                .toList();
        return new SimCluster(name, drawing, sharing, speeds, outages, sharedStorageMBps, Optional.of(draws));
    }

    /** The partitions of a file. */
    static SimCluster of(Path file, List<Partition> partitions) {
        if (partitions.stream().map(Partition::name).distinct().count() < partitions.size()) {
            throw new InputException(file + " names a partition twice.");
        }
        return new SimCluster(String.valueOf(file.getFileName()), partitions, Sharing.NOTHING);
    }

    /** The nodes of a file, for all jobs. */
    static SimCluster ofAll(Path file, List<NodeView> nodes) {
        return of(file, List.of(new Partition("", nodes)));
    }

    /** The partition that takes the queue's jobs: the only one, or that of its name. */
    public Optional<Partition> partitionOf(String queue) {
        if (partitions.size() == 1 && partitions.get(0).name().isEmpty()) {
            return Optional.of(partitions.get(0));
        }
        return partitions.stream()
                .filter(p -> p.queues().contains(queue))
                .findFirst()
                .or(() -> partitions.stream()
                        .filter(p -> p.queues().contains(SharedQueue.ALL_OTHERS))
                        .findFirst());
    }

    /** What a GPU is called of which only its place on the node is known, from 0. */
    public static String gpuName(String node, int slot) {
        return node + "/" + slot;
    }

    /** The same with GPUs one by one where only their number is known. */
    public SimCluster withNumberedGpus() {
        return with(partitions.stream().map(Partition::withNumberedGpus).toList());
    }

    /** What the shared file system gives the nodes of one partition, in proportion to GPUs; empty for no limit. */
    public Optional<SharedStorage> sharedStorage(Partition partition) {
        long all = capacity().gpus();
        long gpus = partition.capacity().gpus();
        return sharedStorageMBps == 0
                ? Optional.empty()
                : Optional.of(new SharedStorage(sharedStorageMBps * gpus / Math.max(1, all), 0, gpus));
    }

    public ResourceVector capacity() {
        return partitions.stream().map(Partition::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    public int nodes() {
        return partitions.stream().mapToInt(p -> p.nodes().size()).sum();
    }
}
