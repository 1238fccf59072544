// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the next ApplicationMaster has to know in the staging directory. It is written by a thread of its own: of several
 * states in short order the last one counts, and what cannot be written is tried again, after one second first, then in
 * intervals that double up to a minute: each attempt makes Hadoop's client log the failure.
 */
public final class StateFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    private static final long FIRST_RETRY_MS = 1_000;
    private static final long LONGEST_RETRY_MS = 60_000;

    private final Staging staging;
    private final AtomicReference<Supplier<String>> latest = new AtomicReference<>();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(run -> {
        Thread thread = new Thread(run, "state");
        thread.setDaemon(true);
        return thread;
    });
    /** 0 while the last state could be written. */
    private long retryMs;

    public StateFile(Staging staging) {
        this.staging = staging;
    }

    /** @param state what can be written at any time later: it does not change */
    public void save(Supplier<String> state) {
        if (latest.getAndSet(state) == null && !writer.isShutdown()) {
            writer.execute(this::writeLatest);
        }
    }

    private void writeLatest() {
        Supplier<String> state = latest.getAndSet(null);
        if (state == null) {
            return;
        }
        try {
            staging.writeState(state.get());
            if (retryMs > 0) {
                retryMs = 0;
                LOG.info("the state can be written again");
            }
        } catch (IOException | RuntimeException e) {
            if (retryMs == 0) {
                complain(e);
            }
            retryMs = retryMs == 0 ? FIRST_RETRY_MS : Math.min(2 * retryMs, LONGEST_RETRY_MS);
            retry(state);
        }
    }

    private static void complain(Exception failure) {
        String what = "the state cannot be written, it is tried again; until then an ApplicationMaster that is started"
                + " again knows less";
        if (ExpiredToken.isNamedBy(failure)) {
            LOG.warn("{}: {}.\n{}", what, failure.getMessage(), ExpiredToken.ADVICE);
        } else {
            LOG.warn(what, failure);
        }
    }

    // The future would only tell of a shutdown: the task itself never throws.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void retry(Supplier<String> state) {
        if (latest.compareAndSet(null, state) && !writer.isShutdown()) {
            writer.schedule(this::writeLatest, retryMs, TimeUnit.MILLISECONDS);
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
