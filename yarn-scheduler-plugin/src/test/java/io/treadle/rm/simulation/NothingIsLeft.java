// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.rm.scheduler.SteppedScheduler;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/** When the last application has ended, the books of both are as before the first. */
final class NothingIsLeft {
    private static final String RULE = "nothing is left at the end";
    private static final int ROUNDS = 6;

    private final Map<String, Integer> before;

    NothingIsLeft(SimulatedCluster cluster) {
        cluster.round();
        before = cluster.treadle().map(NothingIsLeft::books).orElse(Map.of());
    }

    private static Map<String, Integer> books(TreadleScheduler scheduler) {
        return SteppedScheduler.books(
                scheduler, Set.of(SimulatedCluster.class, SimulatedRecords.class, SimulatedTime.class));
    }

    void end(SimulatedCluster cluster, CalmTime.Looks looks) throws Exception {
        for (SimulatedApplication application : cluster.applications()) {
            application.kill();
            cluster.drain();
            looks.look();
            application.finishingExpires();
            cluster.drain();
        }
        for (int i = 0; i < ROUNDS; i++) {
            for (SimulatedNode node : cluster.nodes()) {
                node.beat();
                cluster.drain();
            }
            while (cluster.proposals().isPresent() && cluster.proposals().get().count() > 0) {
                cluster.proposals().get().commit(0);
            }
            cluster.round();
            cluster.drain();
            cluster.time.advance(500);
            looks.look();
        }
        yarn(cluster);
        ours(cluster);
    }

    private static void yarn(SimulatedCluster cluster) {
        for (CSQueue queue : Yarn.queues(cluster)) {
            String name = queue.getQueuePath();
            none(name + " uses", queue.getQueueResourceUsage().getAllUsed());
            none(name + " waits for", queue.getQueueResourceUsage().getAllPending());
            none(name + " reserves", queue.getQueueResourceUsage().getAllReserved());
            QueueMetrics metrics = queue.getMetrics();
            if (cluster.areMetricsRight()
                    && (metrics.getAllocatedContainers() != 0
                            || metrics.getPendingContainers() != 0
                            || metrics.getPendingMB() != 0
                            || metrics.getReservedContainers() != 0)) {
                throw new Violation(
                        RULE,
                        name + " has metrics: " + metrics.getAllocatedContainers() + " allocated, "
                                + metrics.getPendingContainers() + " pending of " + metrics.getPendingMB() + " MiB, "
                                + metrics.getReservedContainers() + " reserved");
            }
        }
        for (FiCaSchedulerNode node : cluster.scheduler().getNodeTracker().getAllNodes()) {
            none(node.getNodeID() + " holds", node.getAllocatedResource());
            if (node.getReservedContainer() != null) {
                throw new Violation(RULE, node.getNodeID() + " is reserved for " + node.getReservedContainer());
            }
            var tags = cluster.resourceManager()
                    .getRMContext()
                    .getAllocationTagsManager()
                    .getAllocationTagsWithCount(node.getNodeID());
            if (tags != null && !tags.isEmpty()) {
                throw new Violation(RULE, node.getNodeID() + " has tags " + tags);
            }
        }
    }

    private static void none(String who, org.apache.hadoop.yarn.api.records.Resource resource) {
        if (!Resources.none().equals(resource)) {
            throw new Violation(RULE, who + " " + resource);
        }
    }

    private void ours(SimulatedCluster cluster) {
        if (cluster.treadle().isEmpty()) {
            return;
        }
        Map<String, Integer> more = new TreeMap<>();
        books(cluster.treadle().get()).forEach((field, size) -> {
            int grown = size - before.getOrDefault(field, 0);
            // A label that was given once is a part of the cluster from then on.
            if (grown > 0 && !(cluster.wasRelabelled() && field.equals("LargestCluster.most"))) {
                more.put(field, grown);
            }
        });
        if (!more.isEmpty()) {
            throw new Violation(RULE, "books of Treadle hold more by " + more);
        }
    }
}
