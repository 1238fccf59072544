// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import java.time.InstantSource;
import java.util.Optional;
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
    /** For ZooKeeper to answer before it is called away, ms. */
    private static final long PATIENCE_MS = 10_000;

    private final NodeSleep sleep;
    private final SleepRecords records;
    private final BooleanSupplier ready;
    private final InstantSource clock;
    private final long startedMs;
    private boolean isRestored;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread t = new Thread(task, "treadle-sleep");
        t.setDaemon(true);
        return t;
    });

    /** @param ready whether YARN's nodes are known: after a restart of the ResourceManager that takes a while */
    public SleepWatch(NodeSleep sleep, SleepRecords records, BooleanSupplier ready, InstantSource clock) {
        this.sleep = sleep;
        this.records = records;
        this.ready = ready;
        this.clock = clock;
        this.startedMs = clock.millis();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A step lets nothing escape.
    public void start() {
        thread.scheduleWithFixedDelay(this::step, 0, STEP_MS, TimeUnit.MILLISECONDS);
    }

    public void stop() {
        thread.shutdownNow();
    }

    void step() {
        try {
            if ((isRestored || restored()) && ready.getAsBoolean()) {
                sleep.step(clock.millis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) { // Anything that is thrown would end all steps to come.
            failed(e);
        }
    }

    private static void failed(Throwable failure) {
        try {
            LOG.error("Nodes could not be looked at", failure);
        } catch (Throwable e) {
            // Where memory is short not even that can be said; the next one may.
            return;
        }
    }

    /** Before YARN's nodes are known: jobs are checked against what is off from now on. */
    private boolean restored() {
        Optional<SleepingNodesRecord> before = records.standing();
        if (before.isPresent()) {
            sleep.restore(before.get(), clock.millis());
            isRestored = true;
        } else {
            records.read();
            Optional<String> trouble = records.trouble();
            if (trouble.isPresent()) {
                sleep.unknown(trouble.get());
            } else if (clock.millis() - startedMs > PATIENCE_MS) {
                sleep.unknown("ZooKeeper is away, and which nodes are off cannot be read from " + records.place()
                        + ": no node is switched on or off until it can.");
            }
        }
        return isRestored;
    }
}
