// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PlannerThreadTest {
    private final List<Boolean> interrupted = new ArrayList<>();

    private void look() {
        interrupted.add(Thread.currentThread().isInterrupted());
    }

    private static void run(Runnable work) throws InterruptedException {
        Thread thread = new PlannerThread(work, "planner");
        thread.start();
        thread.join();
    }

    @Test
    void interruptComesAtTheEndOfTheOutermostHold() throws Exception {
        run(() -> {
            PlannerThread.hold(() -> {
                PlannerThread.hold(() -> {
                    Thread.currentThread().interrupt();
                    look();
                    return true;
                });
                look();
                return true;
            });
            look();
        });
        assertEquals(List.of(false, false, true), interrupted);
    }

    @Test
    void interruptFromBeforeWaitsForTheEndOfTheHold() throws Exception {
        run(() -> {
            Thread.currentThread().interrupt();
            look();
            PlannerThread.hold(() -> {
                look();
                return true;
            });
            look();
        });
        assertEquals(List.of(true, false, true), interrupted);
    }

    @Test
    void interruptOfAHoldThatFailsComesToo() throws Exception {
        run(() -> {
            try {
                PlannerThread.hold(() -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("a bug");
                });
            } catch (IllegalStateException e) {
                look();
            }
            Thread.interrupted();
            PlannerThread.hold(() -> true);
            look();
        });
        assertEquals(List.of(true, false), interrupted);
    }

    @Test
    void otherThreadsRunTheWorkAsItIs() {
        assertTrue(PlannerThread.hold(() -> true));
        assertFalse(PlannerThread.hold(() -> false));
    }

    /** Between its holds of the lock a gang's commit lets others have it: a thread that was interrupted would not pause. */
    @Test
    void interruptComesWhenAllShortHoldsAreOver() throws Exception {
        SchedulerAccess holds = (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    look();
                    return PlannerThread.hold((BooleanSupplier) arguments[0]);
                });
        run(() -> {
            ShortHolds.run(holds, 2 * ShortHolds.MOST_STEPS, step -> {
                Thread.currentThread().interrupt();
                return true;
            });
            look();
        });
        assertEquals(false, interrupted.get(1), "interrupted between two holds");
        assertEquals(true, interrupted.get(interrupted.size() - 1));
    }
}
