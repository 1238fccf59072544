// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZkCapsTest {
    private static final String NODE = "n1:45454";

    private ConnectedZooKeeper zooKeeper;
    private CuratorFramework client;
    private ZkWriter writer;
    private ZkCaps caps;
    private volatile long nowMs = 86_400_000L * 100;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new ConnectedZooKeeper();
        client = zooKeeper.client;
        writer = new ZkWriter(client);
        caps = new ZkCaps(client, zooKeeper.access, writer, () -> Instant.ofEpochMilli(nowMs));
    }

    @AfterEach
    void stop() throws Exception {
        writer.close();
        zooKeeper.close();
    }

    private static NodeCaps caps(long epoch, double watts) {
        return new NodeCaps(epoch, 30_000, Map.of("GPU-0", watts));
    }

    private NodeCaps told(NodeCaps wanted) throws Exception {
        caps.tell(NODE, wanted);
        written();
        return NodeCaps.fromJson(
                NODE, new String(client.getData().forPath(ZkPaths.power(NODE)), StandardCharsets.UTF_8));
    }

    @Test
    void epochsAreTheClocksWhereNobodyWasAhead() throws Exception {
        assertEquals(caps(100, 250), told(caps(100, 250)));
        assertEquals(caps(200, 300), told(caps(200, 300)));
        assertEquals(caps(201, 310), told(caps(150, 310)), "a clock that was set back");
    }

    /** The ResourceManager before had a clock that was ahead by a day: the node hears this one all the same. */
    @Test
    void epochsGoOnFromThoseOfTheResourceManagerBefore() throws Exception {
        client.create()
                .creatingParentsIfNeeded()
                .forPath(ZkPaths.power(NODE), caps(86_400_000, 250).toJson().getBytes(StandardCharsets.UTF_8));
        assertEquals(caps(86_400_001, 300), told(caps(100, 300)));
        assertEquals(caps(86_400_002, 310), told(caps(101, 310)));
    }

    /** Nodes hear no such epoch, so its writer has not locked the ResourceManager out. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1})
    void epochOfATimeThatHasNotComeIsNobodys(long epoch) throws Exception {
        client.create()
                .creatingParentsIfNeeded()
                .forPath(ZkPaths.power(NODE), caps(epoch, 1).toJson().getBytes(StandardCharsets.UTF_8));
        assertEquals(caps(100, 300), told(caps(100, 300)));
    }

    @Test
    void whatCannotBeReadIsWrittenAnew() throws Exception {
        client.create().creatingParentsIfNeeded().forPath(ZkPaths.power(NODE), new byte[] {'x'});
        assertEquals(caps(100, 300), told(caps(100, 300)));
    }

    @Test
    void nodeThatIsGoneIsForgottenAfterADay() throws Exception {
        told(caps(nowMs - 1000, 250));
        caps.sweep(node -> true);
        written();
        assertNotNull(client.checkExists().forPath(ZkPaths.power(NODE)), "it may come back and has seen the epoch");
        long nextDay = nowMs + 86_400_000;
        nowMs = nextDay;
        caps.sweep(node -> false);
        written();
        assertNotNull(client.checkExists().forPath(ZkPaths.power(NODE)), "it is there");
        nowMs = nextDay + 3_600_000;
        caps.sweep(node -> true);
        written();
        assertNull(client.checkExists().forPath(ZkPaths.power(NODE)));
        assertEquals(0, caps.remembered());
        // It comes back: the time of day is above all that it has seen.
        assertEquals(caps(nowMs, 300), told(caps(nowMs, 300)));
    }

    private void written() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        writer.execute(written::countDown);
        written.await();
    }
}
