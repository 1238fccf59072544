// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread on which nodes are switched: a command may take its time. */
public final class SleepWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SleepWatch.class);
    private static final long STEP_MS = 1_000;

    private final NodeSleep sleep;
    private final BooleanSupplier ready;
    private final CompletableFuture<SleepingNodesRecord> before;
    private final InstantSource clock;
    private boolean isRestored;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread t = new Thread(task, "treadle-sleep");
        t.setDaemon(true);
        return t;
    });

    /**
     * @param ready whether YARN's nodes are known: after a restart of the ResourceManager that takes a while
     * @param before nodes that a ResourceManager before this one has switched off
     */
    public SleepWatch(
            NodeSleep sleep,
            BooleanSupplier ready,
            CompletableFuture<SleepingNodesRecord> before,
            InstantSource clock) {
        this.sleep = sleep;
        this.ready = ready;
        this.before = before;
        this.clock = clock;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A step lets nothing escape.
    public void start() {
        thread.scheduleWithFixedDelay(this::step, STEP_MS, STEP_MS, TimeUnit.MILLISECONDS);
    }

    public void stop() {
        thread.shutdownNow();
    }

    private void step() {
        try {
            if (!before.isDone() || !ready.getAsBoolean()) {
                return;
            }
            if (!isRestored) {
                sleep.restore(kinds(before.join()), clock.millis());
                isRestored = true;
            }
            sleep.step(clock.millis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) { // An exception would end all steps to come.
            LOG.warn("Nodes could not be looked at", e);
        }
    }

    private static Map<String, NodeKind> kinds(SleepingNodesRecord record) {
        Map<String, NodeKind> kinds = new HashMap<>();
        record.nodes().forEach((id, node) -> kinds.put(id, new NodeKind(node.partition(), node.capacity())));
        return kinds;
    }

    /** To be written down. */
    public static SleepingNodesRecord record(Map<String, NodeKind> off) {
        Map<String, SleepingNodesRecord.Node> nodes = new HashMap<>();
        off.forEach((id, kind) -> nodes.put(id, new SleepingNodesRecord.Node(kind.partition(), kind.capacity())));
        return new SleepingNodesRecord(nodes);
    }
}
