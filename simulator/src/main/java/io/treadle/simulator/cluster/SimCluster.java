// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/**
 * A simulated cluster.
 *
 * @param name what people call it
 * @param partitions at least one
 * @param sharing what beside GPUs is handed out in shares
 */
public record SimCluster(String name, List<Partition> partitions, Sharing sharing) {
    /** What jobs get beyond what they ask for. */
    public enum Sharing {
        /** Nothing: each job holds what it asks for. */
        NOTHING,
        /** CPU and host memory, in proportion to GPUs at least. */
        CPU_AND_MEMORY
    }

    public SimCluster {
        partitions = List.copyOf(partitions);
    }

    /** The partition that takes the queue's jobs: the only one, or that of its name. */
    public Optional<Partition> partitionOf(String queue) {
        if (partitions.size() == 1 && partitions.get(0).name().isEmpty()) {
            return Optional.of(partitions.get(0));
        }
        return partitions.stream().filter(p -> p.name().equals(queue)).findFirst();
    }

    public ResourceVector capacity() {
        return partitions.stream().map(Partition::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    public int nodes() {
        return partitions.stream().mapToInt(p -> p.nodes().size()).sum();
    }
}
