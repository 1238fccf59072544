// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.metrics.TreadleMetrics;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what Treadle does in CapacityScheduler's handling of events. Hadoop ends the ResourceManager when its scheduler
 * throws there: a failure of ours is logged and counted instead, and CapacityScheduler handles the event all the same.
 * What CapacityScheduler itself throws is thrown.
 */
final class OwnPart {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPart.class);

    private final Supplier<TreadleMetrics> metrics;

    OwnPart(Supplier<TreadleMetrics> metrics) {
        this.metrics = metrics;
    }

    /** @param what what is done, for the log */
    void run(String what, Runnable own) {
        around(what, () -> {}, stock -> own.run());
    }

    /**
     * @param stock CapacityScheduler's handling; it runs once, also where ours fails before it
     * @param own gets {@code stock}, and may decide not to run it
     */
    void around(String what, Runnable stock, Consumer<Runnable> own) {
        Once once = new Once(stock);
        try {
            own.accept(once);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (once.failure == e) {
                throw e;
            }
            LOG.error("Treadle failed to {}; CapacityScheduler goes on without", what, e);
            metrics.get().failed();
            if (!once.ran) {
                once.run();
            }
        }
    }

    private static final class Once implements Runnable {
        private final Runnable stock;
        private boolean ran;
        private @Nullable Throwable failure;

        Once(Runnable stock) {
            this.stock = stock;
        }

        @Override
        public void run() {
            ran = true;
            try {
                stock.run();
            } catch (RuntimeException | Error e) {
                failure = e;
                throw e;
            }
        }
    }
}
