// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.AllResourceTypes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each reason for which a container is looked at more closely. */
class QuietTest {
    private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);
    private static final NodeId NODE = NodeId.newInstance("n1", 1);
    private static final ResourceVector ORDINARY = ResourceVector.of(0, 2, 512);

    private final AtomicBoolean hasGangs = new AtomicBoolean();
    private final AtomicBoolean isAnyGoing = new AtomicBoolean();
    private final GangReservations reservations = new GangReservations();
    private final AtomicBoolean knowsDevices = new AtomicBoolean(true);
    private final AtomicLong nowMs = new AtomicLong();
    private final Refusals refusals = new Refusals(nowMs::get, () -> {});
    private final Quiet quiet = new Quiet(hasGangs::get, isAnyGoing::get, knowsDevices::get, reservations, refusals);

    @BeforeEach
    void declareTypes() {
        AllResourceTypes.declare();
    }

    @AfterEach
    void forgetTypes() {
        AllResourceTypes.forget();
    }

    private boolean isQuietFor(ResourceVector size) {
        boolean isQuiet = quiet.isFor(size);
        assertEquals(isQuiet, quiet.isFor(YarnResources.resource(size)));
        return isQuiet;
    }

    @Test
    void sizeHasToBeWithoutDevicesAndStorage() {
        assertTrue(isQuietFor(ORDINARY));
        assertFalse(isQuietFor(ORDINARY.withGpus(1)));
        assertFalse(isQuietFor(new ResourceVector(0, 2, 512, 1, 0, 0)));
        assertFalse(isQuietFor(new ResourceVector(0, 2, 512, 0, 1, 0)));
    }

    @Test
    void devicesAreNothingToLookAtWhereNoNodeHasSaidWhichItHas() {
        knowsDevices.set(false);
        assertTrue(isQuietFor(ORDINARY.withGpus(1)));
        assertTrue(isQuietFor(new ResourceVector(0, 2, 512, 1, 0, 0)));
        hasGangs.set(true);
        assertFalse(isQuietFor(ORDINARY.withGpus(1)));
    }

    @Test
    void jobOfOursEndsTheQuiet() {
        hasGangs.set(true);
        assertFalse(isQuietFor(ORDINARY));
    }

    @Test
    void nodeThatGoesEndsTheQuiet() {
        isAnyGoing.set(true);
        assertFalse(isQuietFor(ORDINARY));
    }

    @Test
    void roomThatIsKeptEndsTheQuietUntilItIsGivenUp() {
        reservations.put(new GangReservation(APPLICATION, "", Map.of(NODE, ORDINARY), 1, Set.of(), ORDINARY));
        assertFalse(isQuietFor(ORDINARY));
        reservations.remove(APPLICATION);
        assertTrue(isQuietFor(ORDINARY));
    }

    @Test
    void quietEndsForAsLongAsAnApplicationIsLeftOut() {
        for (int i = 1; i < Refusals.FREE; i++) {
            refusals.refused(APPLICATION, NODE, "a reason");
            assertTrue(isQuietFor(ORDINARY));
        }
        refusals.refused(APPLICATION, NODE, "a reason");
        assertFalse(isQuietFor(ORDINARY));
        nowMs.set(Refusals.FIRST_MS - 1);
        assertFalse(isQuietFor(ORDINARY));
        nowMs.set(Refusals.FIRST_MS);
        assertTrue(isQuietFor(ORDINARY));
        refusals.refused(APPLICATION, NODE, "a reason");
        assertFalse(isQuietFor(ORDINARY));
        refusals.forget(APPLICATION);
        assertTrue(isQuietFor(ORDINARY));
    }
}
