// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to ZooKeeper, one thing after the other on a thread of its own. What is to be written while ZooKeeper is away
 * waits until it is back: a few records for each job. The log says once that it is away and once that it is back.
 */
final class ZkWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZkWriter.class);
    /** A client needs a moment to connect; only after it ZooKeeper is called away. */
    private static final int CONNECT_SECONDS = 5;
    /** So often a work may lose a connection that is there again at once. */
    private static final int MOST_CUT = 5;

    /** Something to write. */
    interface Work {
        @SuppressWarnings("IllegalThrows") // Curator declares no narrower type.
        void run() throws Exception;
    }

    private final CuratorFramework client;
    private final AtomicBoolean away = new AtomicBoolean();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread t = new Thread(task, "treadle-zookeeper");
        t.setDaemon(true);
        return t;
    });

    ZkWriter(CuratorFramework client) {
        this.client = client;
        client.getConnectionStateListenable().addListener((c, state) -> {
            if (state.isConnected()) {
                isBack();
            } else {
                isAway();
            }
        });
    }

    void execute(Work work) {
        thread.execute(() -> untilDone(work));
    }

    private void untilDone(Work work) {
        try {
            int cut = 0;
            while (!tried(work)) {
                LOG.debug("tried again when ZooKeeper is back");
                // ZooKeeper ends the connection where an answer would be too large: at each try.
                cut += isReachable() ? 1 : 0;
                if (cut == MOST_CUT) {
                    LOG.warn(
                            "A record in ZooKeeper is left out: ZooKeeper answers, and ends the connection each time that it is tried");
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the writer, or the one after it, does a work again that has ended with this. */
    static boolean comesBack(Throwable e) {
        return e instanceof InterruptedException
                || e instanceof KeeperException.ConnectionLossException
                || e instanceof KeeperException.SessionExpiredException
                || e instanceof KeeperException.OperationTimeoutException;
    }

    private boolean tried(Work work) throws InterruptedException {
        while (!client.blockUntilConnected(CONNECT_SECONDS, TimeUnit.SECONDS)) {
            isAway();
        }
        try {
            work.run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // Curator declares no narrower type; the scheduler goes on without this record.
            if (comesBack(e)) {
                return false;
            }
            LOG.warn("A record in ZooKeeper is left out: {}", e.toString());
            return true;
        } catch (Error e) { // Hadoop would end the ResourceManager for it.
            LOG.error("A record in ZooKeeper is left out", e);
            return true;
        }
    }

    /** Whether a small question is answered. */
    private boolean isReachable() throws InterruptedException {
        try {
            client.checkExists().forPath("/");
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // Curator declares no narrower type.
            return false;
        }
    }

    private void isAway() {
        if (away.compareAndSet(false, true)) {
            LOG.warn(
                    "ZooKeeper at {} is away: jobs run on and start by what is known, records are written when it is back",
                    client.getZookeeperClient().getCurrentConnectionString());
        }
    }

    private void isBack() {
        if (away.compareAndSet(true, false)) {
            LOG.info("ZooKeeper is back");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
