// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** Where an application would take a container: what it says itself, apart from room, its queue and its user. Any thread. */
final class AskedPlaces {
    private AskedPlaces() {}

    /** Whether partition, blacklist, placement constraint and strict locality let the ask on the node. */
    static boolean include(FiCaSchedulerApp app, SchedulerRequestKey key, FiCaSchedulerNode node) {
        AppPlacementAllocator<?> asks = app.getAppSchedulingInfo().getAppPlacementAllocator(key);
        return asks != null
                && Objects.requireNonNullElse(asks.getPrimaryRequestedNodePartition(), "")
                        .equals(node.getPartition())
                && Stream.of(node.getNodeName(), node.getNodeID().getHost(), node.getRackName())
                        .noneMatch(app::isPlaceBlacklisted)
                && (asks.getSchedulingRequest() == null || asks.canAllocate(NodeType.OFF_SWITCH, node))
                && isPlace(app, key, node);
    }

    /** As Hadoop goes: to the node, then to its rack, then anywhere. */
    private static boolean isPlace(FiCaSchedulerApp app, SchedulerRequestKey key, FiCaSchedulerNode node) {
        if (app.getPendingAsk(key, node.getNodeName()).getCount() > 0) {
            return true;
        }
        boolean isRack = app.getPendingAsk(key, node.getRackName()).getCount() > 0;
        return app.getAppSchedulingInfo().canDelayTo(key, isRack ? node.getRackName() : ResourceRequest.ANY);
    }
}
