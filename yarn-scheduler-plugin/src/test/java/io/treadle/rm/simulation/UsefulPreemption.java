// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * YARN's preemption ends a gang only for one who comes without a plan, an application without gangs or an ApplicationMaster, in
 * another queue, and whose ask fits on a node of the gang. Whether that is of use which plain applications lose is Hadoop's own matter:
 * it goes by sums of queues, and may take from one for itself, or where nobody waits at all.
 */
final class UsefulPreemption {
    private static final String RULE = "what is preempted is for somebody";

    private final SimulatedCluster cluster;
    private final Map<ContainerId, RMContainer> before;
    private final Map<AbstractLeafQueue, Set<ResourceVector>> waiting = new HashMap<>();

    /** Before it looks. */
    UsefulPreemption(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.before = Yarn.tasks(cluster);
        for (AbstractLeafQueue leaf : Yarn.leaves(cluster)) {
            for (FiCaSchedulerApp attempt : leaf.getAllApplications()) {
                if (!Waits.isGang(cluster, attempt)) {
                    waits(leaf, attempt);
                }
            }
        }
    }

    private void waits(AbstractLeafQueue leaf, FiCaSchedulerApp attempt) {
        attempt.getSchedulerKeys().forEach(key -> {
            PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
            if (ask.getCount() > 0) {
                waiting.computeIfAbsent(leaf, l -> new HashSet<>()).add(Yarn.vector(ask.getPerAllocationResource()));
            }
        });
    }

    /** After it has looked, and nothing else has happened. */
    void look() {
        before.keySet().removeAll(Yarn.tasks(cluster).keySet());
        for (RMContainer ended : before.values()) {
            FiCaSchedulerApp attempt = cluster.scheduler().getApplicationAttempt(ended.getApplicationAttemptId());
            if (attempt != null && !isForSomebody(attempt)) {
                throw new Violation(
                        RULE,
                        ended.getContainerId() + " of " + attempt.getQueueName() + " ends, "
                                + Yarn.vector(ended.getAllocatedResource()).describe() + " on "
                                + ended.getAllocatedNode() + "; there wait " + inWords() + "\n" + Waits.state(cluster));
            }
        }
    }

    private String inWords() {
        return waiting.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .map(size -> size.describe() + " in " + entry.getKey().getQueuePath()))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    private boolean isForSomebody(FiCaSchedulerApp ended) {
        return !cluster.isPlanned(ended.getApplicationId())
                || waiting.entrySet().stream()
                        .filter(entry -> entry.getKey() != ended.getCSLeafQueue())
                        .anyMatch(
                                entry -> entry.getValue().stream().anyMatch(size -> fits(entry.getKey(), size, ended)));
    }

    private boolean fits(AbstractLeafQueue queue, ResourceVector size, FiCaSchedulerApp ended) {
        return before.values().stream()
                .filter(container ->
                        container.getApplicationAttemptId().getApplicationId().equals(ended.getApplicationId()))
                .map(container -> cluster.scheduler().getNode(container.getAllocatedNode()))
                .anyMatch(node -> node != null
                        && Waits.free(
                                                cluster,
                                                node,
                                                ResourceVector.ZERO,
                                                container -> container.isAMContainer()
                                                        || Waits.isOf(cluster, container, queue))
                                        .count(size)
                                > 0);
    }
}
