// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * Room on nodes that is kept for a waiting gang until it starts or the time is over.
 *
 * @param gang the gang that the room is for
 * @param partition of the nodes
 * @param rooms what is kept on each node; it may be more than is free there now
 * @param untilMs when the room is given up, ms since the epoch
 * @param before plain applications of the gang's queue that come before it: nothing is kept from them
 */
public record GangReservation(
        ApplicationId gang,
        String partition,
        Map<NodeId, ResourceVector> rooms,
        long untilMs,
        Set<ApplicationId> before) {
    public GangReservation {
        rooms = Map.copyOf(rooms);
        before = Set.copyOf(before);
    }

    /** The same where others come before it. */
    public GangReservation withBefore(Set<ApplicationId> others) {
        return new GangReservation(gang, partition, rooms, untilMs, others);
    }

    /** What is kept on all nodes together. */
    public ResourceVector all() {
        return rooms.values().stream().reduce(ResourceVector.ZERO, ResourceVector::plus);
    }
}
