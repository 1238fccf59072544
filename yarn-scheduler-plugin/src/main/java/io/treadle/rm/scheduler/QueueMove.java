// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/** An application's move to another queue. It runs once, in whatever surroundings; what came of it is asked for then. */
final class QueueMove implements Runnable {
    /** What CapacityScheduler does. */
    interface Stock {
        String move() throws YarnException;
    }

    private final Stock stock;
    private String queue = "";
    private @Nullable YarnException refused;

    QueueMove(Stock stock) {
        this.stock = stock;
    }

    @Override
    public void run() {
        try {
            queue = stock.move();
        } catch (YarnException e) {
            refused = e;
        }
    }

    /** The queue's name, as CapacityScheduler has it. */
    String queue() throws YarnException {
        if (refused != null) {
            throw refused;
        }
        return queue;
    }
}
