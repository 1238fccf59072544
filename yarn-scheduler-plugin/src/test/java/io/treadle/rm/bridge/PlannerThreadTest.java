// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
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
}
