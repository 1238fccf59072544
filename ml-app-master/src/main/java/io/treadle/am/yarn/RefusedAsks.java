// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When asks that the ResourceManager has refused are sent again, and why it has refused them. YARN refuses an ask that is
 * larger than the largest registered node, so the loss of one node makes an ask impossible until another one registers.
 * Refused asks are sent again after 2 s, then in intervals that double up to 30 s. Safe for use by several threads.
 */
public final class RefusedAsks {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedAsks.class);

    private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** The ResourceManager's reason may carry a stack trace. */
    private static final int MOST_CHARACTERS = 500;

    private final LongSupplier nanoTime;
    private Optional<String> reason = Optional.empty();
    private long waitNanos;
    private long dueNanos;

    RefusedAsks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether asks are to be sent with the next heartbeat. */
    synchronized boolean mayBeSent() {
        return reason.isEmpty() || nanoTime.getAsLong() - dueNanos >= 0;
    }

    synchronized void refused(Exception why) {
        waitNanos = reason.isEmpty() ? FIRST_WAIT_NANOS : Math.min(2 * waitNanos, LONGEST_WAIT_NANOS);
        dueNanos = nanoTime.getAsLong() + waitNanos;
        String words = words(String.valueOf(why.getMessage()));
        if (reason.isEmpty()) {
            LOG.warn("the ResourceManager refuses the containers that are asked for, it is asked again: {}", words);
        }
        reason = Optional.of(words);
    }

    /** The first line, without the name of the exception. */
    private static String words(String message) {
        String line = message.lines()
                .findFirst()
                .orElse("")
                .replaceFirst("^[\\w.$]*Exception: ", "")
                .strip();
        return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS);
    }

    synchronized void accepted() {
        if (reason.isPresent()) {
            LOG.info("the ResourceManager takes the asks for containers again");
            reason = Optional.empty();
        }
    }

    /** For people, why asks wait; empty while the ResourceManager takes them. */
    public synchronized Optional<String> describe() {
        return reason.map(why -> "YARN refuses the containers that are asked for now, and is asked again: " + why);
    }
}
