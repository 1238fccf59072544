// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.metrics.TreadleMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the planner thread from a thread of its own. What fails in a round ends that part of the round and nothing
 * else; a part that takes very long is logged with the thread's stack, then interrupted, and jobs are served as plain
 * capacity until it ends.
 */
public final class PlannerHealth {
    private static final Logger LOG = LoggerFactory.getLogger(PlannerHealth.class);
    /** A part of a round takes milliseconds, at most seconds. */
    static final Duration STUCK = Duration.ofSeconds(30);

    private static final long NANOS_PER_MS = 1_000_000;

    /**
     * What the planner does, for admins.
     *
     * @param activity the part of a round that runs now; empty while it waits for the next round
     * @param busyMs how long this part has run
     * @param stuck whether that is too long
     * @param failures parts of rounds that have failed since the start
     * @param lastFailure the last of them; empty where there was none
     */
    public record Report(String activity, long busyMs, boolean stuck, long failures, String lastFailure) {}

    private record Activity(String what, long sinceNanos) {}

    private final TreadleMetrics metrics;
    private final LongSupplier nanos;
    private final long stuckMs;
    private volatile @Nullable Activity now;
    private final AtomicLong failures = new AtomicLong();
    private volatile String lastFailure = "";
    /** Used by the watching thread alone. */
    private @Nullable Activity told;

    private @Nullable Activity interrupted;

    PlannerHealth(TreadleMetrics metrics, LongSupplier nanos, Duration stuck) {
        this.metrics = metrics;
        this.nanos = nanos;
        this.stuckMs = stuck.toMillis();
    }

    /** Runs a part of a round on the planner thread; whatever it throws ends there. */
    void part(String what, Runnable part) {
        now = new Activity(what, nanos.getAsLong());
        try {
            part.run();
        } catch (Throwable e) {
            // An OutOfMemoryError too: the part's garbage goes with its stack, and the ResourceManager's own threads
            // end it where theirs fail (docs/adr/0033).
            failed(what, e);
        } finally {
            now = null;
        }
    }

    /** A part that was kept from ending the round by others. */
    void failed(String what, Throwable e) {
        // A reader that sees the new count sees the new text, too.
        lastFailure = what + ": " + e;
        failures.incrementAndGet();
        metrics.failed();
        LOG.error("The planner failed to {}; the next round tries again", what, e);
    }

    /** Whether jobs are served as plain capacity because the planner is stuck for longer than a policy may fail. */
    boolean isStuck() {
        return busyMs(now) > 2 * stuckMs;
    }

    Report report() {
        Activity current = now;
        long busy = busyMs(current);
        return new Report(
                Optional.ofNullable(current).map(Activity::what).orElse(""),
                busy,
                busy > stuckMs,
                failures.get(),
                lastFailure);
    }

    private long busyMs(@Nullable Activity activity) {
        return activity == null ? 0 : (nanos.getAsLong() - activity.sinceNanos()) / NANOS_PER_MS;
    }

    /** Looks at the planner; by the watching thread, about once a second. */
    void look(Thread planner) {
        Activity current = now;
        long busy = busyMs(current);
        metrics.plannerStuck(busy > stuckMs ? busy / 1000 : 0);
        if (current == null || busy <= stuckMs) {
            if (told != null) {
                LOG.info("The planner goes on: '{}' has ended", told.what());
            }
            told = null;
            return;
        }
        if (!current.equals(told)) {
            told = current;
            LOG.error(
                    "The planner has been busy for {} s to {}: no job is planned meanwhile. It stands at\n    {}",
                    busy / 1000,
                    current.what(),
                    stack(planner));
        }
        if (!current.equals(interrupted) && busy > 2 * stuckMs) {
            interrupted = current;
            LOG.error("The planner is interrupted: jobs are served as plain capacity until it goes on");
            planner.interrupt();
        }
    }

    private static String stack(Thread thread) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append(text.isEmpty() ? "" : "\n    ").append(element);
        }
        return text.toString();
    }
}
