// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.function.BooleanSupplier;

/**
 * A thread that hears no interrupt while it works on CapacityScheduler's books. Hadoop gives its events to a queue that throws
 * on an interrupted thread, in the middle of a commit: the container would be in the books of its application and not in those of
 * its node and its queue. Any thread may interrupt it.
 */
public final class PlannerThread extends Thread {
    private final Object gate = new Object();
    /** Guarded by the gate. */
    private int holds;
    /** Whether it is to be interrupted when the last hold ends; guarded by the gate. */
    private boolean owed;

    public PlannerThread(Runnable work, String name) {
        super(work, name);
    }

    @Override
    public void interrupt() {
        synchronized (gate) {
            if (holds > 0) {
                owed = true;
            } else {
                super.interrupt();
            }
        }
    }

    /** Runs {@code work} on this thread. Where that is one of these, an interrupt from before or from meanwhile comes at the end. */
    static boolean hold(BooleanSupplier work) {
        if (!(Thread.currentThread() instanceof PlannerThread planner)) {
            return work.getAsBoolean();
        }
        planner.begin();
        try {
            return work.getAsBoolean();
        } finally {
            planner.end();
        }
    }

    private void begin() {
        synchronized (gate) {
            holds++;
            owed |= Thread.interrupted();
        }
    }

    private void end() {
        synchronized (gate) {
            holds--;
            if (holds == 0 && owed) {
                owed = false;
                super.interrupt();
            }
        }
    }
}
