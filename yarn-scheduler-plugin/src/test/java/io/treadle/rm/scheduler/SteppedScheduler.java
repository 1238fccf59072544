// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.policy.Policy;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.PowerHistory;
import io.treadle.rm.profile.Telemetry;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** A scheduler without threads of its own, for tests outside this package. */
public final class SteppedScheduler {
    private SteppedScheduler() {}

    /**
     * @param around stands between each queue's policy and its rounds
     * @param records what nodes and jobs have said
     * @param ready whether these records have been read
     */
    public static TreadleScheduler create(
            UnaryOperator<Policy> around,
            Clock clock,
            LongSupplier nanoTime,
            Telemetry records,
            BooleanSupplier ready) {
        return new TreadleScheduler(around, new Surroundings(clock, nanoTime, records, ready, true));
    }

    /** One round of the planner. */
    public static void turn(TreadleScheduler scheduler) {
        scheduler.turn();
    }

    /** Proposals from outside a plan that were refused so far. */
    public static long vetoes(TreadleScheduler scheduler) {
        return scheduler.vetoes();
    }

    /**
     * Sizes of all maps and collections of ours, by class and field, without histories, which are meant to stay.
     *
     * @param outside classes of the test
     */
    public static Map<String, Integer> books(TreadleScheduler scheduler, Set<Class<?>> outside) {
        try {
            Set<Class<?>> leftOut = new HashSet<>(outside);
            leftOut.addAll(Set.of(JobHistories.class, PowerHistory.class));
            return Books.of(scheduler, leftOut);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
