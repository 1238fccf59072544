// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * Does long work under the scheduler's write lock in many short holds. After each hold it pauses for as long as the hold
 * took: the lock is not fair, and a thread that takes it again at once would keep it from all others. An interrupt of the planner
 * waits until all is done: there would be no pause for an interrupted thread.
 */
final class ShortHolds {
    /** Steps of one hold: a committed member takes up to half a millisecond. */
    static final int MOST_STEPS = 16;

    private static final long MOST_NANOS = 4_000_000;
    private static final long LEAST_PAUSE_NANOS = 100_000;
    private static final long MOST_PAUSE_NANOS = 20_000_000;

    private ShortHolds() {}

    /**
     * Runs steps 0 to {@code steps - 1} in their order. What a step found may have changed when the next one runs.
     *
     * @param step false ends the work
     * @return whether all steps ran and none returned false
     */
    static boolean run(SchedulerAccess scheduler, int steps, IntPredicate step) {
        return run(scheduler, steps, () -> true, step);
    }

    /**
     * The same.
     *
     * @param begin is asked first in each hold; false ends the work
     */
    static boolean run(SchedulerAccess scheduler, int steps, BooleanSupplier begin, IntPredicate step) {
        return PlannerThread.hold(() -> runAll(scheduler, steps, begin, step));
    }

    private static boolean runAll(SchedulerAccess scheduler, int steps, BooleanSupplier begin, IntPredicate step) {
        int next = 0;
        while (next < steps) {
            int first = next;
            int[] reached = {first};
            long start = System.nanoTime();
            boolean goesOn = scheduler.locked(() -> {
                long locked = System.nanoTime();
                if (!begin.getAsBoolean()) {
                    return false;
                }
                do {
                    if (!step.test(reached[0])) {
                        return false;
                    }
                    reached[0]++;
                } while (reached[0] < steps
                        && reached[0] - first < MOST_STEPS
                        && System.nanoTime() - locked < MOST_NANOS);
                return true;
            });
            if (!goesOn) {
                return false;
            }
            next = reached[0];
            if (next < steps) {
                long pause = Math.max(LEAST_PAUSE_NANOS, Math.min(MOST_PAUSE_NANOS, System.nanoTime() - start));
                LockSupport.parkNanos(pause);
            }
        }
        return true;
    }
}
