// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands that fail, hosts that do not come, and records that cannot be written lose no host. */
class FailingCommandTest {
    private final FakeCluster cluster = new FakeCluster();

    /** The host and how many hosts have been drained so far. */
    private void failsToGoOff(String host, long seconds) throws InterruptedException {
        cluster.chosenAndDrained(seconds);
        cluster.goesOff(host, seconds + 2);
    }

    @Test
    void oneHostIsDrainedAtATimeAndNoneForAPauseAfterAFailure() throws Exception {
        cluster.running("a", "b", "c");
        cluster.refuses = "off";
        cluster.at(0);
        cluster.chosenAndDrained(300);
        assertEquals(List.of("drain a:40000"), cluster.done);
        cluster.goesOff("a", 302);
        assertEquals(List.of("drain a:40000", "off a"), cluster.done);
        assertEquals(
                List.of("Node a cannot be switched off: 'off a' ended with 3: no such machine. YARN has stopped its"
                        + " NodeManager: it is asked back with 'on', and no node is switched off for 60 s."),
                cluster.sleep.warnings());
        cluster.at(332);
        assertEquals(2, cluster.done.size(), "its NodeManager stops");
        cluster.at(333);
        assertEquals("on a", cluster.done.get(2), "though nobody needs it");
        cluster.running("a");
        cluster.at(334);
        assertEquals(List.of(), cluster.states());
        cluster.done.clear();
        cluster.at(361);
        cluster.at(362);
        assertEquals(List.of(), cluster.done);
        failsToGoOff("b", 363);
        assertEquals(List.of("drain b:40000", "off b"), cluster.done);
        cluster.at(396);
        cluster.running("b");
        cluster.done.clear();
        cluster.at(485);
        assertEquals(List.of(), cluster.done, "two minutes");
        cluster.refuses = "nothing";
        failsToGoOff("c", 486);
        assertEquals(List.of("drain c:40000", "off c"), cluster.done);
        assertEquals(List.of(), cluster.sleep.warnings(), "one that has worked");
    }

    @Test
    void hostThatCannotGoOffNorBeAskedBackIsNamedAndTriedAgain() throws Exception {
        cluster.running("a", "b");
        cluster.refuses = "o";
        cluster.at(0);
        failsToGoOff("a", 300);
        cluster.at(333);
        assertEquals(List.of("a UNREACHABLE"), cluster.states());
        assertEquals(
                "Node a cannot be switched on and is not counted on: 'on a' ended with 3: no such machine. Maybe switch it"
                        + " on and start its NodeManager by hand.",
                cluster.sleep.warnings().get(1));
        assertTrue(cluster.standing.orElseThrow().hosts().containsKey("a"), "the next ResourceManager asks it back");
        cluster.done.clear();
        cluster.at(392);
        assertEquals(List.of(), cluster.done);
        cluster.at(393);
        assertEquals("on a", cluster.done.get(0));
        cluster.running("a");
        cluster.at(394);
        assertEquals(List.of(), cluster.states());
        assertEquals(1, cluster.sleep.warnings().size(), "that it cannot be switched off");
    }

    @Test
    void anotherIsWokenForOneThatCannotBe() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.at(304);
        cluster.at(305);
        cluster.goesOff("b", 306);
        cluster.done.clear();
        cluster.busy("c");
        cluster.refuses = "on a";
        cluster.needs = List.of(FakeCluster.need(8, 1));
        cluster.at(367);
        assertEquals(List.of("on a"), cluster.done);
        assertEquals(1, cluster.sleep.off().size(), "a counts for nobody");
        assertEquals(Map.of("b", 3600.0), cluster.peaks);
        cluster.at(368);
        assertEquals(List.of("on a", "on b"), cluster.done);
        cluster.running("b");
        cluster.at(369);
        cluster.at(426);
        assertEquals(2, cluster.done.size());
        cluster.needs = List.of();
        cluster.at(427);
        assertEquals("on a", cluster.done.get(2), "nobody needs it, and it is not meant to be off");
    }

    @Test
    void anotherIsWokenForOneThatDoesNotComeAndThatOneAgainWhereThereIsNoOther() throws Exception {
        cluster.running("a", "b", "c");
        cluster.at(0);
        cluster.chosenAndDrained(300);
        cluster.goesOff("a", 302);
        cluster.at(304);
        cluster.at(305);
        cluster.goesOff("b", 306);
        cluster.done.clear();
        cluster.busy("c");
        cluster.needs = List.of(FakeCluster.need(8, 1));
        cluster.at(367);
        cluster.at(486);
        assertEquals(List.of("on a"), cluster.done, "the one on its way is a spare, too");
        cluster.at(487);
        assertEquals(List.of("on a", "on b"), cluster.done);
        assertEquals(
                List.of("Node a has not come back in 120 s and is not counted on. Maybe switch it on and start its"
                        + " NodeManager by hand."),
                cluster.sleep.warnings());
        cluster.at(546);
        assertEquals(2, cluster.done.size(), "b is on its way");
        cluster.at(547);
        assertEquals("on a", cluster.done.get(2), "its pause is over");
        cluster.at(607);
        cluster.at(666);
        assertEquals(3, cluster.done.size(), "b has not come either");
        cluster.at(667);
        assertEquals("on b", cluster.done.get(3), "a is not counted on");
        cluster.running("a");
        cluster.at(668);
        assertEquals(List.of("b WAKING"), cluster.states());
        assertTrue(cluster.sleep.warnings().stream().allMatch(warning -> warning.startsWith("Node b")));
    }

    @Test
    void nothingGoesThatDoesNotStandInTheRecord() throws Exception {
        cluster.running("a", "b");
        cluster.writes = false;
        cluster.at(0);
        cluster.at(300);
        cluster.at(301);
        cluster.at(310);
        assertEquals(List.of(), cluster.sleep.warnings());
        cluster.at(311);
        assertEquals(
                List.of(
                        "ZooKeeper is away, and which nodes are off cannot be written to /sleeping: no node is switched off"
                                + " until it can."),
                cluster.sleep.warnings());
        assertEquals(List.of(), cluster.done);
        assertEquals(List.of(), cluster.states());
        cluster.writes = true;
        cluster.at(312);
        cluster.at(313);
        assertEquals(List.of("drain a:40000"), cluster.done);
        assertEquals(List.of(), cluster.sleep.warnings());
    }
}
