// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * Room on nodes that is kept for a waiting gang until it starts or the time is over.
 *
 * @param gang the gang that the room is for
 * @param rooms what is kept on each node; it may be more than is free there now
 * @param untilMs when the room is given up, ms since the epoch
 */
public record GangReservation(ApplicationId gang, Map<NodeId, ResourceVector> rooms, long untilMs) {
    public GangReservation {
        rooms = Map.copyOf(rooms);
    }
}
