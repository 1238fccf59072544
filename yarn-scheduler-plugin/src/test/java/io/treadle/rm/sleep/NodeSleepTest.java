// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SleepingNodesRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Hosts that go when they are idle, and come back for whoever needs them. */
class NodeSleepTest {
    private final FakeCluster cluster = new FakeCluster();

    @Test
    void idleHostsGoButForASpareOneAndComeBackOnAnotherPortForWhatWaits() throws Exception {
        cluster.running("a", "b");
        cluster.busy("c");
        cluster.at(0);
        cluster.at(299);
        assertEquals(List.of(), cluster.done);
        cluster.chosenAndDrained(300);
        assertEquals(List.of("drain a:40000"), cluster.done);
        assertEquals(List.of("a DRAINING"), cluster.states());
        cluster.goesOff("a", 302);
        assertEquals(List.of("drain a:40000", "off a"), cluster.done);
        assertEquals(List.of("a OFF"), cluster.states());
        assertEquals(1, cluster.sleep.off().size());
        assertEquals(Map.of("a", 3600.0), cluster.peaks);
        cluster.at(900);
        assertEquals(2, cluster.done.size(), "one idle host stays");

        cluster.needs = List.of(FakeCluster.need(8, 2));
        cluster.at(901);
        assertEquals("on a", cluster.done.get(2), "one of the two has room on b");
        cluster.at(902);
        assertEquals(3, cluster.done.size(), "it is on its way");
        assertEquals(List.of("a WAKING"), cluster.states());
        cluster.running("a");
        assertTrue(cluster.yarn.containsKey("a:40001"));
        cluster.at(903);
        assertEquals(List.of(), cluster.states());
        assertEquals(SleepingNodesRecord.EMPTY, cluster.standing.orElseThrow());
        assertEquals(Map.of(), cluster.peaks);
        cluster.needs = List.of();
        cluster.chosenAndDrained(1202);
        assertEquals("drain b:40000", cluster.done.get(3), "the one that came back is idle since 903 s");
    }

    /** YARN's reservation system deletes what the nodes that are on cannot hold. */
    @Test
    void whereAQueueIsReservableAllComeBackAndNoneGoes() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.chosenAndDrained(304);
        assertEquals("drain b:40000", cluster.done.get(2));
        cluster.draining("b", true);
        cluster.isPromised = true;
        cluster.at(900);
        assertEquals(List.of("keep b:40000", "on a"), cluster.done.subList(3, cluster.done.size()));
        assertTrue(
                cluster.sleep.warnings().get(0).startsWith("A queue is reservable"),
                () -> cluster.sleep.warnings().toString());
        cluster.running("a", "b");
        cluster.at(901);
        cluster.chosenAndDrained(2000);
        assertEquals(5, cluster.done.size(), () -> cluster.done.toString());
        assertEquals(List.of(), cluster.states());
        cluster.isPromised = false;
        cluster.at(2002);
        assertEquals(List.of(), cluster.sleep.warnings());
    }

    @Test
    void whatHasRoomOrHelpsNobodyWakesNothing() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.at(304);
        cluster.at(305);
        cluster.goesOff("b", 306);
        cluster.done.clear();
        cluster.needs = List.of(FakeCluster.need(4, 2));
        cluster.at(370);
        cluster.needs = List.of(FakeCluster.need(16, 1), new Need("gpu", ResourceVector.of(1, 1, 1), 1, false));
        cluster.at(371);
        assertEquals(List.of(), cluster.done);
        cluster.needs = List.of(new Need("", ResourceVector.of(1, 1, 1), 1, true));
        cluster.at(372);
        assertEquals(List.of("on a"), cluster.done, "its queue has a share of what is on");
    }

    @Test
    void oneCommandAStepAndOnesThatWakeFirst() throws Exception {
        cluster.running("a", "b", "c", "d");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.at(304);
        cluster.at(305);
        cluster.goesOff("b", 306);
        cluster.at(308);
        cluster.at(309);
        cluster.draining("c", true);
        cluster.done.clear();
        cluster.out("c");
        // One has room on d; c is out already and is asked back at once, a and b go down.
        cluster.needs = List.of(FakeCluster.need(8, 4));
        cluster.at(311);
        assertEquals(List.of(), cluster.done);
        cluster.at(367);
        assertEquals(List.of("on a"), cluster.done);
        cluster.at(368);
        cluster.at(369);
        assertEquals(List.of("on a", "on b", "on c"), cluster.done);
    }

    @Test
    void aSpareHostIsWokenWhenTheLastIdleOneIsTaken() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.busy("b");
        cluster.at(362);
        assertEquals(2, cluster.done.size(), "the machine goes down and would not hear");
        cluster.at(363);
        assertEquals(List.of("drain a:40000", "off a", "on a"), cluster.done);
    }

    /** Where none of its kind is on, YARN refuses what only it could hold. */
    @Test
    void theLastOfAKindIsReplaced() throws Exception {
        FakeCluster frugal = new FakeCluster(0);
        frugal.running("a", "b");
        frugal.at(0);
        frugal.chosenAndDrained(300);
        frugal.goesOff("a", 302);
        frugal.at(400);
        assertEquals(2, frugal.done.size());
        frugal.lost("b");
        frugal.at(401);
        assertEquals(List.of("drain a:40000", "off a", "on a"), frugal.done);
    }

    /** Who plans it knows more than what is free: a limit of its user, a GPU model. */
    @Test
    void whatWaitsForLongWakesOneAfterTheOther() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.chosenAndDrained(304);
        cluster.goesOff("b", 306);
        cluster.done.clear();
        cluster.needs = List.of(FakeCluster.need(1, 1));
        cluster.at(400);
        cluster.at(459);
        assertEquals(List.of(), cluster.done);
        cluster.isLimited = true;
        cluster.at(460);
        assertEquals(List.of(), cluster.done, "it may be for the power that it waits");
        cluster.isLimited = false;
        cluster.at(470);
        cluster.at(530);
        assertEquals(List.of("on a"), cluster.done);
        cluster.at(620);
        cluster.running("a");
        cluster.at(621);
        cluster.at(679);
        assertEquals(1, cluster.done.size());
        cluster.at(680);
        assertEquals(List.of("on a", "on b"), cluster.done);
    }

    /** Limits of queues are shares of what is on: with each host that goes, less of what waits may run. */
    @Test
    void nothingGoesWhereAnythingWaits() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.needs = List.of(FakeCluster.need(16, 1));
        cluster.isLimited = true;
        cluster.chosenAndDrained(300);
        cluster.chosenAndDrained(900);
        assertEquals(List.of(), cluster.done);
        cluster.needs = List.of();
        cluster.at(901);
        assertTrue(cluster.sleep.isGoing("a"), "it gets no container any more");
        assertFalse(cluster.sleep.isGoing("b"));
        cluster.at(902);
        assertEquals(List.of("drain a:40000"), cluster.done);
    }

    @Test
    void whatGetsAContainerRightBeforeItIsDrainedStays() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.at(300);
        assertTrue(cluster.standing.orElseThrow().hosts().containsKey("a"));
        cluster.beforeDrain = () -> cluster.busy("a");
        cluster.at(301);
        assertEquals(List.of(), cluster.done);
        assertEquals(SleepingNodesRecord.EMPTY, cluster.standing.orElseThrow());
    }

    @Test
    void whatGetsAContainerWhileItDrainsStays() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.busy("a");
        cluster.at(302);
        assertEquals(List.of("drain a:40000"), cluster.done, "YARN has not come to it yet");
        cluster.draining("a", false);
        cluster.at(303);
        assertEquals(List.of("drain a:40000", "keep a:40000"), cluster.done);
        assertEquals(List.of(), cluster.states());
    }

    /** A heartbeat of the node had YARN decommission it at the same moment. */
    @Test
    void whatIsDecommissionedThoughItIsTakenBackIsAskedBack() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.draining("a", true);
        cluster.needs = List.of(FakeCluster.need(8, 2));
        cluster.at(302);
        assertEquals(List.of("drain a:40000", "keep a:40000"), cluster.done);
        cluster.running("a");
        cluster.at(303);
        cluster.out("a");
        cluster.at(304);
        assertEquals(List.of("a OFF"), cluster.states());
        cluster.at(334);
        assertEquals("on a", cluster.done.get(2));
    }

    @Test
    void whatIsLostWhileItDrainsIsLeftAlone() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.lost("a");
        cluster.at(302);
        assertEquals(List.of("a DRAINING"), cluster.states(), "between two lists of YARN's it is on neither");
        cluster.at(332);
        assertEquals(List.of("drain a:40000"), cluster.done);
        assertEquals(List.of(), cluster.states());
    }

    @Test
    void whatDoesNotDrainStaysAndHoldsUpNobody() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.draining("a", true);
        cluster.at(422);
        assertEquals(List.of("drain a:40000", "keep a:40000"), cluster.done);
        cluster.running("a");
        cluster.at(423);
        cluster.at(424);
        assertEquals("drain b:40000", cluster.done.get(2));
        cluster.draining("b", true);
        cluster.at(427);
        assertEquals(List.of("b DRAINING"), cluster.states());
        assertEquals(Set.of("b"), cluster.standing.orElseThrow().hosts().keySet(), "a is as any other");
    }

    /** A NodeManager that somebody starts while its host stands as off is on, and watched as any other. */
    @Test
    void whatRegistersThoughItIsOffIsOn() throws Exception {
        cluster.running("a", "b");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.done.clear();
        cluster.running("a");
        cluster.busy("b");
        cluster.at(362);
        assertEquals(List.of("a OFF"), cluster.states(), "the machine may still go down");
        cluster.at(363);
        assertEquals(List.of(), cluster.states());
        cluster.running("b");
        cluster.at(364);
        cluster.at(663);
        cluster.at(664);
        assertEquals(List.of("drain a:40001"), cluster.done, "after the whole idle time");
    }

    /** YARN refuses what no node of its could hold. */
    @Test
    void theLastOfAKindStaysOn() throws Exception {
        cluster.running("a", "b");
        cluster.yarn.put(
                "large:1",
                new NodeSight(
                        "large:1",
                        "large",
                        "",
                        ResourceVector.of(16, 64, 65_536),
                        ResourceVector.of(16, 64, 65_536),
                        true,
                        NodeSight.Stage.RUNNING));
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.at(400);
        cluster.at(401);
        assertEquals(List.of("drain a:40000", "off a"), cluster.done);
    }

    @Test
    void whatTheAdministratorExcludesIsHis() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.excluded.add("a");
        cluster.needs = List.of(FakeCluster.need(8, 3));
        cluster.at(304);
        assertEquals(List.of("drain a:40000", "off a"), cluster.done, "it is not woken");
        assertEquals(List.of(), cluster.sleep.off());
        assertEquals(Map.of(), cluster.peaks);
        cluster.needs = List.of();

        cluster.chosenAndDrained(305);
        assertEquals("drain b:40000", cluster.done.get(2));
        cluster.draining("b", true);
        cluster.excluded.add("b");
        cluster.at(307);
        cluster.out("b");
        cluster.at(308);
        assertEquals(3, cluster.done.size(), "neither switched off nor taken in again");
        assertEquals(List.of("a OFF"), cluster.states());

        cluster.excluded.clear();
        cluster.needs = List.of(FakeCluster.need(8, 2));
        cluster.at(363);
        assertEquals("on a", cluster.done.get(3));
    }

    @Test
    void whatTheAdministratorDrainsIsLeftToHim() throws Exception {
        cluster.running("b", "c", "d");
        cluster.draining("a", true);
        cluster.at(0);
        cluster.excluded.add("b");
        cluster.chosenAndDrained(300);
        assertEquals(List.of("drain c:40000"), cluster.done);
    }
}
