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
 * @param userLimit what the gang's user may hold of its queue
 * @param all what is kept on all nodes together: it is asked for at each proposal of each application
 */
public record GangReservation(
        ApplicationId gang,
        String partition,
        Map<NodeId, ResourceVector> rooms,
        long untilMs,
        Set<ApplicationId> before,
        ResourceVector userLimit,
        ResourceVector all) {
    public GangReservation {
        rooms = Map.copyOf(rooms);
        before = Set.copyOf(before);
    }

    public GangReservation(
            ApplicationId gang,
            String partition,
            Map<NodeId, ResourceVector> rooms,
            long untilMs,
            Set<ApplicationId> before,
            ResourceVector userLimit) {
        this(
                gang,
                partition,
                rooms,
                untilMs,
                before,
                userLimit,
                rooms.values().stream().reduce(ResourceVector.ZERO, ResourceVector::plus));
    }

    /** The same with others that come before it, and another limit. */
    public GangReservation renewed(Set<ApplicationId> others, ResourceVector limit) {
        return new GangReservation(gang, partition, rooms, untilMs, others, limit, all);
    }
}
