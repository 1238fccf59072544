// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes that are reserved for asks until containers have gone that {@link KillableHolders} ended for them. Many threads may ask at the
 * same time; none of an application's locks is taken, as CapacityScheduler asks with one of the ask's, which comes after those.
 */
public final class AwaitedDevices {
    /** A container that has been ended and is still on its node after so long may never go. As long as YARN's own GPU plugin waits. */
    static final long PATIENCE_MS = 120_000;

    private static final Logger LOG = LoggerFactory.getLogger(AwaitedDevices.class);

    /** @param sinceMs when somebody ended there for it */
    private record Awaited(
            FiCaSchedulerNode node,
            RMContainer reserved,
            ApplicationAttemptId attempt,
            SchedulerRequestKey key,
            long sinceMs) {
        @SuppressWarnings("ReferenceEquality") // Another reservation is another object.
        boolean stands() {
            return node.getReservedContainer() == reserved;
        }
    }

    private final SchedulerAccess scheduler;
    private final Clock clock;
    /** What does not stand any more goes with the next one that comes. */
    private final Map<NodeId, Awaited> byNode = new ConcurrentHashMap<>();

    public AwaitedDevices(SchedulerAccess scheduler, Clock clock) {
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** @param reserved what the node is reserved for now */
    void add(SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container, RMContainer reserved) {
        byNode.values().removeIf(awaited -> !awaited.stands());
        FiCaSchedulerNode node = container.getSchedulerNode();
        byNode.put(
                node.getNodeID(),
                new Awaited(
                        node,
                        reserved,
                        container.getSchedulerApplicationAttempt().getApplicationAttemptId(),
                        container.getSchedulerRequestKey(),
                        clock.millis()));
    }

    boolean isOn(FiCaSchedulerNode node) {
        Awaited awaited = byNode.get(node.getNodeID());
        return awaited != null && awaited.stands();
    }

    boolean isAnyOf(List<RMContainer> reservations) {
        return byNode.values().stream()
                .anyMatch(awaited ->
                        awaited.stands() && !isOverdue(awaited) && reservations.contains(awaited.reserved()));
    }

    /** Whether as many come as are asked for, or more. */
    boolean areEnough(AppSchedulingInfo app, SchedulerRequestKey key) {
        if (byNode.isEmpty()) {
            return false;
        }
        long coming = byNode.values().stream()
                .filter(awaited -> awaited.attempt().equals(app.getApplicationAttemptId())
                        && awaited.key().equals(key)
                        && awaited.stands()
                        && !isOverdue(awaited))
                .count();
        AppPlacementAllocator<FiCaSchedulerNode> ask = app.getAppPlacementAllocator(key);
        return coming > 0 && ask != null && coming >= ask.getOutstandingAsksCount(ResourceRequest.ANY);
    }

    /** Drops reservations for which somebody ended long ago and has not gone: the ask has to look elsewhere. */
    public void dropOverdue() {
        for (Awaited awaited : List.copyOf(byNode.values())) {
            NodeId node = awaited.node().getNodeID();
            if (isOverdue(awaited) && byNode.remove(node, awaited) && awaited.stands()) {
                LOG.warn(
                        "Node {} is no longer reserved for {}: what was ended there for it has not gone in {} s",
                        node,
                        awaited.attempt(),
                        PATIENCE_MS / 1000);
                scheduler.unreserve(awaited.reserved());
            }
        }
    }

    private boolean isOverdue(Awaited awaited) {
        return clock.millis() - awaited.sinceMs() >= PATIENCE_MS;
    }
}
