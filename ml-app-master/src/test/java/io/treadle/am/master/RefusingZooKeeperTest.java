// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.JobProgressRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A ZooKeeper that takes nothing but SASL, as {@code enforce.auth.schemes=sasl} makes it. */
class RefusingZooKeeperTest {
    private static final String APP = "application_1_0001";
    private static final Map<String, String> ENFORCED = Map.of(
            "zookeeper.authProvider.1", "org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
            "zookeeper.enforce.auth.enabled", "true",
            "zookeeper.enforce.auth.schemes", "sasl");

    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicLong pastNanos = new AtomicLong();

    /** What the class under test warns of. */
    private static final class Warnings extends AppenderSkeleton {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        protected void append(LoggingEvent event) {
            lines.add(event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    private final Warnings warnings = new Warnings();

    RefusingZooKeeperTest() {
        warnings.setThreshold(Level.WARN);
        Logger.getLogger(PausingZooKeeper.class).addAppender(warnings);
    }

    @AfterEach
    void takeAllAgain() {
        Logger.getLogger(PausingZooKeeper.class).removeAppender(warnings);
        ENFORCED.keySet().forEach(System::clearProperty);
        ProviderRegistry.reset();
    }

    private CuratorFramework client(String address) {
        clients.incrementAndGet();
        return CuratorFrameworkFactory.builder()
                .connectString(address)
                .sessionTimeoutMs(5_000)
                .connectionTimeoutMs(2_000)
                .retryPolicy(new RetryOneTime(100))
                .authorization("digest", (APP + ":secret").getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private void awaitClients(int count, PausingZooKeeper zooKeeper) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (clients.get() < count || zooKeeper.isOpen()) {
            assertTrue(System.nanoTime() < deadline, "clients so far: " + clients);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void aRefusedClientIsClosedForAMinuteAndThenForLonger() throws Exception {
        ENFORCED.forEach(System::setProperty);
        ProviderRegistry.reset();
        try (TestingServer server = new TestingServer(true);
                PausingZooKeeper zooKeeper = new PausingZooKeeper(
                        () -> client(server.getConnectString()), () -> System.nanoTime() + pastNanos.get());
                ZooKeeperJobNode node = new ZooKeeperJobNode(zooKeeper, APP, JobAcl.of(APP, "secret", ""))) {
            node.publish(new JobProgressRecord(1, 2, 3, 0, "training", 4));
            awaitClients(1, zooKeeper);
            pastNanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
            awaitClients(2, zooKeeper);
            pastNanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
            // The node looks twice a second; a third client would be there by now.
            TimeUnit.SECONDS.sleep(2);
            assertEquals(2, clients.get());
            pastNanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
            awaitClients(3, zooKeeper);
            // Refused three times, said once, with what would help.
            assertEquals(1, warnings.lines.size(), warnings.lines::toString);
            assertTrue(warnings.lines.get(0).contains("enforce.auth.schemes=sasl,digest"), warnings.lines::toString);
        }
    }
}
