// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the job's state to its staging directory on a thread of its own; what cannot be written is tried again. */
final class BackgroundStateStore implements StateStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundStateStore.class);

    private static final long RETRY_MS = 1_000;

    private final Staging staging;
    private final AtomicReference<SavedState> latest = new AtomicReference<>();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(run -> {
        Thread thread = new Thread(run, "state");
        thread.setDaemon(true);
        return thread;
    });
    private boolean failed;

    BackgroundStateStore(Staging staging) {
        this.staging = staging;
    }

    @Override
    public void save(SavedState state) {
        if (latest.getAndSet(state) == null && !writer.isShutdown()) {
            writer.execute(this::writeLatest);
        }
    }

    private void writeLatest() {
        SavedState state = latest.getAndSet(null);
        if (state == null) {
            return;
        }
        try {
            staging.writeState(state.toJson());
            failed = false;
        } catch (IOException e) {
            if (!failed) {
                failed = true;
                LOG.warn(
                        "the job's state cannot be written, it is tried again; until then an ApplicationMaster that is "
                                + "started again knows less",
                        e);
            }
            retry(state);
        }
    }

    // The future would only tell of a shutdown: the task itself never throws.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void retry(SavedState state) {
        if (latest.compareAndSet(null, state) && !writer.isShutdown()) {
            writer.schedule(this::writeLatest, RETRY_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Waits for the last write. */
    @Override
    public void close() throws InterruptedException {
        writer.shutdown();
        if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
            writer.shutdownNow();
        }
    }
}
