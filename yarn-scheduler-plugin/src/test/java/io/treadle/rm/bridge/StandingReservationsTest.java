// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

/** Reserved room does not stay closed where the planner is stuck, which alone removes reservations. */
class StandingReservationsTest {
    private static final ApplicationId GANG = ApplicationId.newInstance(1, 1);
    private static final ApplicationId OTHER = ApplicationId.newInstance(1, 2);
    private static final NodeId NODE = NodeId.newInstance("n1", 1);
    private static final ResourceVector ROOM = ResourceVector.of(1, 2, 512);

    private final AtomicLong nowMs = new AtomicLong(1_000);
    private final AtomicBoolean planned = new AtomicBoolean(true);
    private final GangReservations reservations = new GangReservations(nowMs::get, gang -> planned.get());

    private ResourceVector kept() {
        reservations.put(new GangReservation(GANG, "", Map.of(NODE, ROOM), 2_000, Set.of(), ROOM));
        return reservations.forOthers(NODE, OTHER);
    }

    @Test
    void holdsUntilItsTimeIsOver() {
        nowMs.set(1_999);
        assertEquals(ROOM, kept());
        nowMs.set(2_000);
        assertEquals(ResourceVector.ZERO, kept());
        assertEquals(List.of(), reservations.standing());
        assertEquals(1, reservations.all().size(), "the planner says that it is given up");
    }

    @Test
    void holdsNothingForAGangThatIsServedAsAPlainApplication() {
        assertEquals(ROOM, kept());
        planned.set(false);
        assertEquals(ResourceVector.ZERO, kept());
        assertEquals(ResourceVector.ZERO, reservations.on(NODE));
    }
}
