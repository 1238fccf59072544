// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that jobs of some queues may use.
 *
 * @param name the queue's name in the trace; empty where there is one partition for all
 * @param nodes in the order in which placements prefer them
 * @param queues whose jobs come here, {@link SharedQueue#ALL_OTHERS} for those that come nowhere else
 * @param root the queues that share the nodes by capacities; empty where all jobs are of one
 */
public record Partition(String name, List<NodeView> nodes, Set<String> queues, Optional<SharedQueue> root) {
    public Partition {
        nodes = List.copyOf(nodes);
        queues = Set.copyOf(queues);
    }

    /** One whose queues have no capacities of their own. */
    public Partition(String name, List<NodeView> nodes, Set<String> queues) {
        this(name, nodes, queues, Optional.empty());
    }

    /** The same queues on other nodes. */
    public Partition withNodes(List<NodeView> others) {
        return new Partition(name, others, queues, root);
    }

    /** The same nodes for other queues that share them. */
    public Partition withRoot(SharedQueue other) {
        return new Partition(name, nodes, queues, Optional.of(other));
    }

    /** One for the queue of its name. */
    public Partition(String name, List<NodeView> nodes) {
        this(name, nodes, Set.of(name));
    }

    /** The same nodes with their GPUs one by one, where only their number is known. */
    public Partition withNumberedGpus() {
        return withNodes(nodes.stream().map(Nodes::withNumberedGpus).toList());
    }

    public ResourceVector capacity() {
        return nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** GPUs of the node that has most. */
    public long mostGpusOnANode() {
        return nodes.stream().mapToLong(n -> n.capacity().gpus()).max().orElse(0);
    }
}
