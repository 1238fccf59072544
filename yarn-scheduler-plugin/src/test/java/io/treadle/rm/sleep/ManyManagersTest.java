// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.rm.sleep.NodeSight.Stage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hosts with two NodeManagers each are switched as a whole. */
class ManyManagersTest {
    private final FakeCluster cluster = new FakeCluster();

    @BeforeEach
    void twoHosts() throws InterruptedException {
        for (String id : List.of("a:1", "a:2", "b:1", "b:2")) {
            cluster.put(id, true, Stage.RUNNING);
        }
        cluster.at(0);
    }

    private void out(String id) {
        cluster.yarn.remove(id);
        cluster.decommissioned.add(id);
    }

    @Test
    void goesWhenAllAreIdleIsOffWhenAllAreOutAndOnWhenAllAreBack() throws Exception {
        cluster.put("a:2", false, Stage.RUNNING);
        cluster.put("b:2", false, Stage.RUNNING);
        cluster.at(1);
        cluster.put("a:2", true, Stage.RUNNING);
        cluster.put("b:2", true, Stage.RUNNING);
        cluster.at(2);
        cluster.chosenAndDrained(300);
        assertEquals(List.of(), cluster.done, "it was not idle as a whole before 2 s");
        cluster.chosenAndDrained(302);
        assertEquals(List.of("drain a:1", "drain a:2"), cluster.done);
        out("a:1");
        cluster.put("a:2", true, Stage.DRAINING);
        cluster.at(304);
        assertEquals(2, cluster.done.size());
        out("a:2");
        cluster.at(305);
        assertEquals("off a", cluster.done.get(2));
        assertEquals(2, cluster.sleep.off().size());

        cluster.needs = List.of(FakeCluster.need(8, 4));
        cluster.at(365);
        assertEquals("on a", cluster.done.get(3));
        cluster.put("a:3", true, Stage.RUNNING);
        cluster.at(366);
        assertEquals(List.of("a WAKING"), cluster.states());
        assertEquals(1, cluster.sleep.off().size(), "the other one is still to come");
        cluster.put("a:4", true, Stage.RUNNING);
        cluster.at(367);
        assertEquals(List.of(), cluster.states());
    }

    @Test
    void isOnWithWhatHasComeInTime() throws Exception {
        cluster.chosenAndDrained(300);
        out("a:1");
        out("a:2");
        cluster.needs = List.of(FakeCluster.need(8, 4));
        cluster.at(303);
        cluster.at(333);
        cluster.put("a:3", true, Stage.RUNNING);
        cluster.at(452);
        assertEquals(List.of("a WAKING"), cluster.states());
        cluster.at(453);
        assertEquals(List.of(), cluster.states());
        assertEquals(List.of("drain a:1", "drain a:2", "on a"), cluster.done, "who needs it has it not switched off");
    }

    /** One NodeManager was told to stop already when the other one got a container. */
    @Test
    void whatHasStoppedOfAHostThatStaysIsAskedBack() throws Exception {
        cluster.chosenAndDrained(300);
        out("a:1");
        cluster.put("a:2", false, Stage.DRAINING);
        cluster.at(302);
        assertEquals(List.of("drain a:1", "drain a:2", "keep a:2"), cluster.done);
        cluster.put("a:2", false, Stage.RUNNING);
        cluster.at(303);
        cluster.at(333);
        assertEquals("on a", cluster.done.get(3));
        cluster.at(334);
        assertEquals(List.of("a WAKING"), cluster.states());
        cluster.put("a:3", true, Stage.RUNNING);
        cluster.at(335);
        assertEquals(List.of(), cluster.states());
    }
}
