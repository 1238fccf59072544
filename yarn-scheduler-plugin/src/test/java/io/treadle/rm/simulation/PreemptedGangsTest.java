// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gang that holds more than its queue's guarantee ends by YARN's preemption for those who can use its room, and for nobody else. */
@Tag("simulation")
class PreemptedGangsTest {
    private static final int LONG = 1_000;
    private static final int ROUNDS = 40;

    private static SimulatedCluster withGang(boolean asynchronous, boolean preempts) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                new Setting(asynchronous, preempts, true, "fifo+proportional", true, 50, 100, 10), false);
        cluster.submit(new Job(0, Job.Kind.GANG, "ml", "alice", 5, ResourceVector.of(0, 5, 1024), LONG));
        for (int i = 0; i < ROUNDS && held(cluster).isEmpty(); i++) {
            round(cluster);
        }
        assertEquals(5, held(cluster).size());
        return cluster;
    }

    private static void round(SimulatedCluster cluster) throws Exception {
        new Event.Everybody().happen(cluster);
        cluster.drain();
        cluster.preempt();
        cluster.time.advance(500);
    }

    private static Set<ContainerId> held(SimulatedCluster cluster) {
        return Set.copyOf(cluster.application(0).orElseThrow().held().keySet());
    }

    /** YARN's preemption takes one that waits for GPUs, of which its own queue holds all, for one that waits for vcores. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void staysWhereNobodyCouldUseItsRoom(boolean asynchronous) throws Exception {
        try (SimulatedCluster cluster = withGang(asynchronous, true)) {
            Set<ContainerId> before = held(cluster);
            cluster.submit(new Job(1, Job.Kind.FLOOD, "plain", "bob", 40, ResourceVector.of(2, 1, 803), LONG));
            int most = 0;
            for (int i = 0; i < ROUNDS; i++) {
                round(cluster);
                most = Math.max(
                        most, cluster.application(1).orElseThrow().held().size());
                assertEquals(before, held(cluster));
            }
            assertEquals(5, most, "all GPUs");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsForThoseWhoCan(boolean asynchronous) throws Exception {
        try (SimulatedCluster cluster = withGang(asynchronous, true)) {
            Set<ContainerId> before = held(cluster);
            cluster.submit(new Job(1, Job.Kind.FLOOD, "plain", "bob", 40, ResourceVector.of(0, 2, 512), LONG));
            for (int i = 0; i < ROUNDS && held(cluster).equals(before); i++) {
                round(cluster);
            }
            assertTrue(held(cluster).stream().noneMatch(before::contains), "all of it");
        }
    }

    /** YARN has warned it when nobody had a use for its room, which it was not told. */
    @Test
    void isWarnedBeforeItEnds() throws Exception {
        try (SimulatedCluster cluster = withGang(false, false)) {
            cluster.submit(new Job(1, Job.Kind.FLOOD, "plain", "bob", 40, ResourceVector.of(0, 2, 512), LONG));
            for (int i = 0; i < ROUNDS; i++) {
                round(cluster);
            }
            RMContainer member =
                    cluster.scheduler().getRMContainer(held(cluster).iterator().next());
            for (boolean warned : new boolean[] {false, true}) {
                cluster.scheduler().markContainerForKillable(member);
                cluster.drain();
                assertEquals(warned, member.getState() == RMContainerState.KILLED);
            }
        }
    }
}
