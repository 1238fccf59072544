// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.SleepingNodesRecord;
import io.treadle.core.wire.SleepingNodesRecord.Host;
import io.treadle.core.wire.SleepingNodesRecord.Node;
import io.treadle.core.wire.SleepingNodesRecord.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a ResourceManager finds that one before it has written. */
class RestoredHostsTest {
    private final FakeCluster cluster = new FakeCluster();

    private void restore(Stage stage) {
        Host host = new Host(stage, 3600, List.of(new Node("", FakeCluster.EIGHT)));
        cluster.sleep.restore(new SleepingNodesRecord(Map.of("a", host)), 0);
    }

    @Test
    void whatWasOffCountsAtOnceAndIsWokenForWhatNeedsIt() throws Exception {
        assertFalse(cluster.sleep.isKnown());
        restore(Stage.OFF);
        assertTrue(cluster.sleep.isKnown());
        assertEquals(List.of(new NodeKind("", FakeCluster.EIGHT)), cluster.sleep.off());
        assertEquals(Map.of("a", 3600.0), cluster.peaks);
        cluster.busy("b");
        cluster.needs = List.of(FakeCluster.need(8, 1));
        cluster.at(1);
        assertEquals(List.of("on a"), cluster.done);
    }

    @Test
    void whatWasOnItsWayIsWaitedFor() throws Exception {
        restore(Stage.WAKING);
        cluster.busy("b");
        cluster.needs = List.of(FakeCluster.need(8, 1));
        cluster.at(1);
        assertEquals(List.of(), cluster.done);
        cluster.running("a");
        cluster.at(2);
        assertEquals(List.of(), cluster.states());
    }

    /** Nobody knows whether its NodeManager had stopped: if it does not come by itself, it is asked back. */
    @Test
    void whatWasTakenOutComesBackOrIsAskedBack() throws Exception {
        restore(Stage.DRAINING);
        cluster.running("b", "c");
        cluster.at(1);
        cluster.at(119);
        assertEquals(List.of(), cluster.done);
        cluster.at(120);
        cluster.at(180);
        assertEquals(List.of("on a"), cluster.done, "though nobody needs it");
        cluster.running("a");
        cluster.at(181);
        assertEquals(List.of(), cluster.states());
    }

    @Test
    void nothingIsDoneBeforeTheRecordIsRead() throws Exception {
        cluster.standing = Optional.empty();
        cluster.running("a", "b");
        long[] seconds = {0};
        SleepWatch watch = new SleepWatch(cluster.sleep, cluster, () -> true, () -> Instant.ofEpochSecond(seconds[0]));
        watch.step();
        assertFalse(cluster.sleep.isKnown());
        seconds[0] = 400;
        watch.step();
        assertEquals(
                List.of(
                        "ZooKeeper is away, and which nodes are off cannot be read from /sleeping: no node is switched on or"
                                + " off until it can."),
                cluster.sleep.warnings());
        assertFalse(cluster.sleep.isKnown());
        cluster.standing = Optional.of(SleepingNodesRecord.EMPTY);
        watch.step();
        assertTrue(cluster.sleep.isKnown());
        assertEquals(List.of(), cluster.sleep.warnings());
        assertEquals(List.of(), cluster.done, "idle since the first look");
    }

    /** What is thrown out of a step would end all steps to come. */
    @Test
    void errorInOneStepIsNotTheEndOfAll() {
        cluster.standing = Optional.of(SleepingNodesRecord.EMPTY);
        boolean[] throwing = {true};
        SleepWatch watch = new SleepWatch(
                cluster.sleep,
                cluster,
                () -> {
                    if (throwing[0]) {
                        throw new OutOfMemoryError("of a test");
                    }
                    return true;
                },
                () -> Instant.ofEpochSecond(0));
        watch.step();
        throwing[0] = false;
        watch.step();
        assertTrue(cluster.sleep.isKnown());
    }
}
