// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the planner's next round is due, by what has happened since the last one began. Any thread tells it, one waits.
 *
 * <p>What other applications do can bring room and no more, and on a busy cluster it never ends: it makes a round due no sooner
 * than costly rounds may follow each other where nothing has happened at all.
 */
final class RoundTriggers {
    private final LongSupplier nanos;
    private @Nullable Long gangsSince;
    private @Nullable Long othersSince;
    /** The thread that waits. */
    private volatile @Nullable Thread planner;

    /** @param nanos a clock as {@link System#nanoTime} */
    RoundTriggers(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Gangs, nodes or settings have changed. */
    synchronized void gangs() {
        if (gangsSince == null) {
            gangsSince = nanos.getAsLong();
            notifyAll();
        }
    }

    /** Something has happened to another application. */
    synchronized void others() {
        if (othersSince == null) {
            othersSince = nanos.getAsLong();
            notifyAll();
        }
    }

    /** Waits for the round that follows one which has just ended, and takes what has happened until then as seen by it. */
    synchronized void await(Rests rests) throws InterruptedException {
        planner = Thread.currentThread();
        long ended = nanos.getAsLong();
        for (long left = left(rests, ended); left > 0; left = left(rests, ended)) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        gangsSince = null;
        othersSince = null;
    }

    /** Whether this is the thread that waits for rounds and plans them. */
    boolean isPlanner(Thread thread) {
        return thread.equals(planner);
    }

    /** Nanoseconds from now until a round is due. */
    synchronized long left(Rests rests, long ended) {
        long due = rests.idleMs() * 1_000_000;
        if (gangsSince != null) {
            due = Math.min(due, due(gangsSince - ended, rests.gapMs(), rests.gangsMs()));
        }
        if (othersSince != null) {
            due = Math.min(due, due(othersSince - ended, rests.gapMs(), rests.othersMs()));
        }
        return ended + due - nanos.getAsLong();
    }

    /** What comes in the gap after an event is part of the same round. */
    private static long due(long sinceNanos, long gapMs, long restMs) {
        return Math.max(sinceNanos + gapMs * 1_000_000, restMs * 1_000_000);
    }

    /**
     * How long the planner rests after a round, ms.
     *
     * @param gapMs between an event and its round at the least
     * @param gangsMs where something happens to gangs, nodes or settings
     * @param othersMs where something happens to other applications
     * @param idleMs where nothing happens
     */
    record Rests(long gapMs, long gangsMs, long othersMs, long idleMs) {
        private static final long MOST_MS = 2_000;

        /**
         * It leaves two thirds of a core to CapacityScheduler, whatever a round costs and however often something happens to gangs,
         * and nineteen twentieths where nothing but room that other applications leave can be new.
         *
         * @param roundMs that the last round took
         * @param gapMs between two rounds at the least
         * @param maxAgeMs within which a round is wanted at any rate
         * @param mostMs that it may rest at all
         * @param holding whether room is kept for gangs, which must not be left idle for longer than it has to
         */
        static Rests after(long roundMs, long gapMs, long maxAgeMs, long mostMs, boolean holding) {
            long gangsMs = Math.min(Math.min(MOST_MS, mostMs), 2 * roundMs);
            if (holding) {
                return new Rests(gapMs, gangsMs, gangsMs, Math.max(gapMs, maxAgeMs));
            }
            long othersMs = Math.min(mostMs, 19 * roundMs);
            return new Rests(gapMs, gangsMs, othersMs, Math.max(Math.max(gapMs, maxAgeMs), othersMs));
        }
    }
}
