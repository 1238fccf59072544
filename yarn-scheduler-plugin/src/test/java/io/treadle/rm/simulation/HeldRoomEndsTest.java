// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.GangReservation;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.Collection;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Room that never becomes free is held for a gang for half an hour, also where the reservation ends early again and again. */
@Tag("simulation")
class HeldRoomEndsTest {
    private static final int LONG = 1_000_000;
    private static final int ROUNDS = 60;
    private static final long MINUTE_MS = 60_000;
    private static final int HALF_HOUR = 30;

    private static final int GANG = 1;
    private static final int OTHER = 0;
    /** All that five nodes of eight vcores have beside two ApplicationMasters. */
    private static final int CONTAINERS = 38;

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void timesOfInterruptedReservationsAddUp(boolean asynchronous) throws Exception {
        Setting setting = new Setting(asynchronous, false, false, "fifo+proportional", true, 50, 100, 10);
        try (SimulatedCluster cluster = new SimulatedCluster(setting, false)) {
            SimulatedApplication other = fill(cluster);
            NodeId node = reserved(cluster);
            Container ended = other.held().values().stream()
                    .filter(container -> container.getNodeId().equals(node))
                    .findFirst()
                    .orElseThrow();
            cluster.node(node).orElseThrow().complete(ended.getId(), 0);
            everybody(cluster, 1);
            assertEquals(CONTAINERS - 1, other.held().size());

            int minutes = 0;
            while (other.held().size() < CONTAINERS) {
                assertTrue(minutes <= HALF_HOUR + 2, "it is held for as long as it is interrupted");
                interrupt(cluster);
                // The ApplicationMaster hears of it one heartbeat later.
                everybody(cluster, 2);
                cluster.time.advance(MINUTE_MS);
                minutes++;
            }
            assertTrue(minutes >= HALF_HOUR - 2, minutes + " minutes");
            assertEquals(0, reservations(cluster).size());
        }
    }

    /** An application of another queue holds all that ApplicationMasters leave, and a gang waits. */
    private static SimulatedApplication fill(SimulatedCluster cluster) throws Exception {
        cluster.submit(new Job(OTHER, Job.Kind.FLOOD, "plain", "bob", CONTAINERS, ResourceVector.of(0, 1, 512), LONG));
        cluster.drain();
        SimulatedApplication other = cluster.application(OTHER).orElseThrow();
        for (int i = 0; i < ROUNDS && other.held().size() < CONTAINERS; i++) {
            everybody(cluster, 1);
        }
        assertEquals(CONTAINERS, other.held().size());
        // Of 40 vcores its queue is guaranteed ten.
        cluster.submit(new Job(GANG, Job.Kind.GANG, "ml", "alice", 1, ResourceVector.of(0, 8, 512), LONG));
        cluster.drain();
        for (int i = 0; i < ROUNDS && reservations(cluster).isEmpty(); i++) {
            everybody(cluster, 1);
        }
        return other;
    }

    private static Collection<GangReservation> reservations(SimulatedCluster cluster) {
        return cluster.treadle()
                .map(TreadleScheduler::reservations)
                .orElseThrow()
                .all();
    }

    private static NodeId reserved(SimulatedCluster cluster) {
        assertEquals(1, reservations(cluster).size());
        return reservations(cluster)
                .iterator()
                .next()
                .rooms()
                .keySet()
                .iterator()
                .next();
    }

    /** The policy fails until its queue is served as plain capacity, and works again, before any node speaks. */
    private static void interrupt(SimulatedCluster cluster) {
        cluster.policiesFail(true);
        for (int i = 0; i < ROUNDS && !reservations(cluster).isEmpty(); i++) {
            cluster.round();
        }
        assertEquals(0, reservations(cluster).size());
        cluster.policiesFail(false);
        for (int i = 0; i < 4; i++) {
            cluster.time.advance(1_000);
            cluster.round();
        }
    }

    private static void everybody(SimulatedCluster cluster, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            new Event.Everybody().happen(cluster);
            cluster.drain();
            cluster.time.advance(500);
        }
    }
}
