// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Set;

/**
 * Nodes that jobs of some queues may use.
 *
 * @param name the queue's name in the trace; empty where there is one partition for all
 * @param nodes in the order in which placements prefer them
 * @param queues whose jobs come here
 */
public record Partition(String name, List<NodeView> nodes, Set<String> queues) {
    public Partition {
        nodes = List.copyOf(nodes);
        queues = Set.copyOf(queues);
    }

    /** One for the queue of its name. */
    public Partition(String name, List<NodeView> nodes) {
        this(name, nodes, Set.of(name));
    }

    /** The same nodes with their GPUs one by one, where only their number is known. */
    Partition withNumberedGpus() {
        return new Partition(name, nodes.stream().map(Nodes::withNumberedGpus).toList(), queues);
    }

    public ResourceVector capacity() {
        return nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** GPUs of the node that has most. */
    public long mostGpusOnANode() {
        return nodes.stream().mapToLong(n -> n.capacity().gpus()).max().orElse(0);
    }
}
