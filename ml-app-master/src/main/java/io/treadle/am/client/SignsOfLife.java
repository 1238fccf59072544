// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows, while it is open, that a staging directory's client is at work, however long one file takes: {@link
 * StaleStaging} removes those that show nothing for a while.
 */
final class SignsOfLife implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SignsOfLife.class);
    private static final long INTERVAL_SECONDS = 60;

    private final StagingDirectory staging;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(run -> {
        Thread t = new Thread(run, "signs-of-life");
        t.setDaemon(true);
        return t;
    });

    // The future would only tell of a shutdown: the task itself never throws.
    @SuppressWarnings("FutureReturnValueIgnored")
    SignsOfLife(StagingDirectory staging) {
        this.staging = staging;
        thread.scheduleAtFixedRate(this::show, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    private void show() {
        try {
            staging.showLife();
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} cannot be marked as in use", staging.path(), e);
        }
    }

    /** Returns when nothing is written any more, so that the directory can be deleted. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(INTERVAL_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the file system of {} does not answer", staging.path());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
