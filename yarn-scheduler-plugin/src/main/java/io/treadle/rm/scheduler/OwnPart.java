// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.metrics.TreadleMetrics;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what Treadle does on the threads of CapacityScheduler: in its handling of events, in its walk over asks and at its
 * commits. Hadoop ends the ResourceManager when its scheduler throws there: a failure of ours is logged and counted instead, and
 * CapacityScheduler goes on. What CapacityScheduler itself throws is thrown. Safe for use by several threads.
 */
final class OwnPart {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPart.class);

    /** What fails may do so at each heartbeat of each node. */
    private static final long SAY_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Supplier<Optional<TreadleMetrics>> metrics;
    private final LongSupplier nanos;
    /** What has failed, as it was said in the log last. */
    private final Map<String, Said> said = new ConcurrentHashMap<>();

    private record Said(long atNanos, AtomicLong unsaid) {}

    /**
     * @param metrics empty before the scheduler is initialised
     * @param nanos a clock as {@link System#nanoTime}
     */
    OwnPart(Supplier<Optional<TreadleMetrics>> metrics, LongSupplier nanos) {
        this.metrics = metrics;
        this.nanos = nanos;
    }

    /** @param what what is done, for the log: one of few */
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
            failed(what, e);
            if (!once.ran) {
                once.run();
            }
        }
    }

    /**
     * An answer of ours to CapacityScheduler.
     *
     * @param otherwise says the answer where ours fails
     */
    <T> T or(String what, Supplier<T> otherwise, Supplier<T> own) {
        try {
            return own.get();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            failed(what, e);
            return otherwise.get();
        }
    }

    /** A part of ours has failed, and CapacityScheduler goes on without. */
    void failed(String what, Throwable e) {
        metrics.get().ifPresent(TreadleMetrics::failed);
        long now = nanos.getAsLong();
        Said before = said.get(what);
        if (before != null && now - before.atNanos() < SAY_AGAIN_NANOS) {
            before.unsaid().incrementAndGet();
            return;
        }
        said.put(what, new Said(now, new AtomicLong()));
        long unsaid = before == null ? 0 : before.unsaid().get();
        LOG.error(
                "Treadle failed to {}{}; CapacityScheduler goes on without",
                what,
                unsaid == 0 ? "" : " (and " + unsaid + " times more since it was said last)",
                e);
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
