// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.conf.PowerOffSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes of 8 GPUs; empty for 300 s they go, but for one. */
class NodeSleepTest {
    private static final ResourceVector EIGHT = ResourceVector.of(8, 64, 65_536);
    private static final PowerOffSettings SETTINGS =
            new PowerOffSettings(Optional.empty(), Duration.ofMinutes(5), 1, Duration.ofMinutes(2));

    private final Map<String, NodeSight> yarn = new TreeMap<>();
    private final Set<String> decommissioned = new HashSet<>();
    private final List<String> done = new ArrayList<>();
    private final List<Set<String>> kept = new ArrayList<>();
    private List<Need> needs = List.of();
    private Optional<String> refuses = Optional.empty();
    private NodeSleep sleep = sleep(Optional.of(this::turn));

    private NodeSleep sleep(Optional<Switch> hook) {
        YarnNodes nodes = new YarnNodes() {
            @Override
            public List<NodeSight> nodes() {
                return List.copyOf(yarn.values());
            }

            @Override
            public List<Need> needs(Map<String, NodeKind> off) {
                return needs;
            }

            @Override
            public boolean isDecommissioned(String node) {
                return decommissioned.contains(node);
            }

            @Override
            public void drain(String node) {
                done.add("drain " + node);
            }

            @Override
            public void keep(String node) {
                done.add("keep " + node);
            }
        };
        return new NodeSleep(SETTINGS, nodes, hook, now -> kept.add(now.off().keySet()));
    }

    private void turn(boolean on, String node) throws IOException {
        String what = (on ? "on " : "off ") + node;
        done.add(what);
        if (refuses.filter(what::startsWith).isPresent()) {
            throw new IOException("'" + what + "' ended with 3: no such machine");
        }
    }

    private void node(String id, boolean empty, NodeSight.Stage stage) {
        yarn.put(id, new NodeSight(id, "", EIGHT, empty ? EIGHT : ResourceVector.ZERO, empty, stage));
    }

    private void running(String... ids) {
        for (String id : ids) {
            node(id, true, NodeSight.Stage.RUNNING);
        }
    }

    private void at(long seconds) throws InterruptedException {
        sleep.step(1000 * seconds);
    }

    private List<String> states() {
        return sleep.states().stream().map(s -> s.node() + " " + s.stage()).toList();
    }

    /** It is taken out, decommissioned and switched off. */
    private void off(String id, long seconds) throws InterruptedException {
        node(id, true, NodeSight.Stage.DRAINING);
        at(seconds);
        yarn.remove(id);
        decommissioned.add(id);
        at(seconds + 1);
    }

    @Test
    void emptyNodesGoButForASpareOneAndComeBackForWhatWaits() throws Exception {
        running("a", "b");
        node("c", false, NodeSight.Stage.RUNNING);
        at(0);
        at(299);
        assertEquals(List.of(), done);
        at(300);
        assertEquals(List.of("drain a"), done);
        assertEquals(List.of("a DRAINING"), states());
        off("a", 301);
        assertEquals(List.of("drain a", "off a"), done);
        assertEquals(List.of("a OFF"), states());
        at(900);
        assertEquals(List.of("drain a", "off a"), done, "one empty node stays");

        needs = List.of(new Need("", ResourceVector.of(8, 1, 1), 2, false));
        at(901);
        assertEquals("on a", done.get(2), "one of the two has room on b");
        at(902);
        assertEquals(3, done.size(), "it is on its way");
        assertEquals(List.of("a WAKING"), states());
        running("a");
        at(903);
        assertEquals(List.of(), states(), "both are needed");
        assertEquals(List.of(Set.of("a"), Set.of()), kept);
    }

    @Test
    void whatHasRoomOrHelpsNobodyWakesNothing() throws Exception {
        running("a", "b", "c");
        at(0);
        at(300);
        off("a", 301);
        off("b", 305);
        done.clear();
        needs = List.of(new Need("", ResourceVector.of(4, 1, 1), 2, false));
        at(310);
        needs = List.of(
                new Need("", ResourceVector.of(16, 1, 1), 1, false),
                new Need("gpu", ResourceVector.of(1, 1, 1), 1, false));
        at(311);
        assertEquals(List.of(), done);
        needs = List.of(new Need("", ResourceVector.of(1, 1, 1), 1, true));
        at(312);
        assertEquals(List.of("on a"), done, "its queue has a share of what is on");
    }

    @Test
    void aSpareNodeIsWokenWhenTheLastEmptyOneIsTaken() throws Exception {
        running("a", "b");
        at(0);
        at(300);
        off("a", 301);
        node("b", false, NodeSight.Stage.RUNNING);
        at(310);
        assertEquals(List.of("drain a", "off a", "on a"), done);
    }

    @Test
    void whatGetsAContainerWhileItDrainsStays() throws Exception {
        running("a", "b");
        at(0);
        at(300);
        node("a", false, NodeSight.Stage.DRAINING);
        at(301);
        assertEquals(List.of("drain a", "keep a"), done);
        assertEquals(List.of(), states());
    }

    @Test
    void whatIsLostWhileItDrainsIsLeftAlone() throws Exception {
        running("a", "b");
        at(0);
        at(300);
        yarn.remove("a");
        at(301);
        assertEquals(List.of("drain a"), done);
        assertEquals(List.of(), states());
    }

    @Test
    void hookThatFailsLeavesTheNodeOnSaysSoAndIsTriedAgainWithGrowingPauses() throws Exception {
        running("a", "b");
        at(0);
        refuses = Optional.of("off");
        at(300);
        off("a", 301);
        assertEquals(List.of("drain a", "off a", "on a"), done);
        assertEquals(
                List.of("Node a cannot be switched off, and is to take containers again: 'off a' ended with 3: no such"
                        + " machine."),
                sleep.warnings());
        running("a");
        at(303);
        assertEquals(List.of(), states());
        done.clear();
        at(361);
        assertEquals(List.of(), done);
        at(362);
        assertEquals(List.of("drain b"), done, "b is empty for longer by now");
        off("b", 363);
        running("b");
        at(420);
        at(604);
        off("a", 605);
        running("a");
        at(607);
        done.clear();
        at(845);
        assertEquals(List.of(), done, "four minutes after the third");
        at(846);
        assertEquals(List.of("drain b"), done);
    }

    @Test
    void nodeThatDoesNotComeIsNamedAndTriedAgain() throws Exception {
        sleep.restore(Map.of("a", new NodeKind("", EIGHT)), 0);
        node("b", false, NodeSight.Stage.RUNNING);
        at(0);
        at(119);
        assertEquals(List.of("on a"), done);
        at(120);
        assertEquals(List.of("Node a was switched on and has not come in 120 s."), sleep.warnings());
        at(179);
        assertEquals(List.of("on a"), done);
        at(180);
        assertEquals(List.of("on a", "on a"), done);
        running("a");
        at(181);
        assertEquals(List.of(), sleep.warnings());
    }

    @Test
    void withoutAHookWhatCouldBeOffIsShown() throws Exception {
        sleep = sleep(Optional.empty());
        running("a", "b");
        at(0);
        at(300);
        assertEquals(List.of("a COULD_BE_OFF"), states());
        assertEquals(List.of(), done);
        assertTrue(kept.isEmpty());
    }

    /** YARN refuses what no node of its could hold. */
    @Test
    void theLastOfAKindStaysOn() throws Exception {
        running("a", "b");
        yarn.put(
                "large",
                new NodeSight("large", "", ResourceVector.of(16, 64, 65_536), EIGHT, true, NodeSight.Stage.RUNNING));
        at(0);
        at(300);
        assertEquals(List.of("drain a"), done);
    }
}
