// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the job's state to its staging directory on a thread of its own. */
final class BackgroundStateStore implements StateStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundStateStore.class);

    private final Staging staging;
    private final AtomicReference<SavedState> latest = new AtomicReference<>();
    private final ExecutorService writer = Executors.newSingleThreadExecutor(run -> {
        Thread thread = new Thread(run, "state");
        thread.setDaemon(true);
        return thread;
    });

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
        try {
            if (state != null) {
                staging.writeState(state.toJson());
            }
        } catch (IOException e) {
            LOG.warn("the job's state could not be written; an ApplicationMaster that is started again knows less", e);
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
