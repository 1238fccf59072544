// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.resource.ResourceVector;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.QueueConfigurations;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * What a job is checked against before it is submitted.
 *
 * @param resourceTypes names of the cluster's resource types
 * @param largest the most that YARN grants to one container
 * @param nodes capacities of the running nodes
 * @param queues all queues below the root
 */
record ClusterView(Set<String> resourceTypes, ResourceVector largest, List<Node> nodes, List<Queue> queues) {
    /** A running node's capacity. */
    record Node(String name, ResourceVector capacity) {}

    /**
     * @param path full path, such as {@code root.research}
     * @param leaf whether jobs may be submitted to it
     * @param running whether it takes jobs now
     * @param most what it can ever hold; empty where the scheduler does not say
     */
    record Queue(String path, boolean leaf, boolean running, Optional<ResourceVector> most) {
        boolean isCalled(String name) {
            return path.equals(name)
                    || path.substring(path.lastIndexOf('.') + 1).equals(name);
        }
    }

    static ClusterView read(YarnGateway gateway, ResourceVector largest) throws IOException, YarnException {
        return new ClusterView(
                gateway.resourceTypes(),
                largest,
                gateway.runningNodes().stream().map(ClusterView::node).toList(),
                gateway.queues().stream().map(ClusterView::queue).toList());
    }

    private static Node node(NodeReport report) {
        return new Node(report.getNodeId().toString(), YarnResources.toVector(report.getCapability()));
    }

    private static Queue queue(QueueInfo info) {
        String path = info.getQueuePath() == null || info.getQueuePath().isEmpty()
                ? info.getQueueName()
                : info.getQueuePath();
        return new Queue(
                path,
                info.getChildQueues() == null || info.getChildQueues().isEmpty(),
                info.getQueueState() == null || info.getQueueState() == QueueState.RUNNING,
                most(info));
    }

    private static Optional<ResourceVector> most(QueueInfo info) {
        QueueConfigurations defaults = info.getQueueConfigurations() == null
                ? null
                : info.getQueueConfigurations().get("");
        if (defaults == null || defaults.getEffectiveMaxCapacity() == null) {
            return Optional.empty();
        }
        ResourceVector most = YarnResources.toVector(defaults.getEffectiveMaxCapacity());
        // Nothing at all means that the cluster has no nodes yet, not that the queue is closed.
        return most.isZero() ? Optional.empty() : Optional.of(most);
    }
}
