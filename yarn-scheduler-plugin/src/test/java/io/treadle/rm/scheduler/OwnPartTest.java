// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.rm.metrics.TreadleMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnPartTest {
    private final TreadleMetrics metrics = TreadleMetrics.register();
    private final AtomicLong nanos = new AtomicLong();
    private final OwnPart own = new OwnPart(() -> Optional.of(metrics), nanos::get);
    private final List<String> handled = new ArrayList<>();
    private final LogLines log = new LogLines(OwnPart.class.getName(), Level.ERROR);

    @AfterEach
    void stop() {
        log.close();
        DefaultMetricsSystem.shutdown();
    }

    private void stock() {
        handled.add("stock");
    }

    @Test
    void stockHandlesTheEventOnceWhereOursFailsBeforeIt() {
        own.around("count", this::stock, stock -> {
            throw new IllegalStateException("ours");
        });
        assertEquals(List.of("stock"), handled);
        assertEquals(List.of("Treadle failed to count; CapacityScheduler goes on without"), log.lines());
        assertEquals(1, metrics.failureCount());
    }

    @Test
    void stockHandlesTheEventOnceWhereOursFailsAfterIt() {
        own.around("count", this::stock, stock -> {
            stock.run();
            throw new NoClassDefFoundError("ours");
        });
        assertEquals(List.of("stock"), handled);
        assertEquals(1, metrics.failureCount());
    }

    @Test
    void whatStockThrowsIsThrown() {
        IllegalStateException stocks = new IllegalStateException("stock");
        assertEquals(
                stocks,
                assertThrows(
                        IllegalStateException.class,
                        () -> own.around(
                                "count",
                                () -> {
                                    throw stocks;
                                },
                                Runnable::run)));
        assertEquals(0, metrics.failureCount());
    }

    @Test
    void oursMayKeepTheEventFromStock() {
        own.around("refuse", this::stock, stock -> {});
        assertEquals(List.of(), handled);
    }

    @Test
    void whatIsOursAloneThrowsNothing() {
        own.run("count", () -> {
            throw new IllegalStateException("ours");
        });
        assertEquals(List.of("Treadle failed to count; CapacityScheduler goes on without"), log.lines());
        assertEquals(1, metrics.failureCount());
    }

    @Test
    void answerThatCannotBeFoundIsTheOtherOne() {
        assertEquals(7, own.or("count", () -> 3, () -> 7));
        assertEquals(0, metrics.failureCount());
        assertEquals(3, own.or("count", () -> 3, () -> {
            throw new IllegalStateException("ours");
        }));
        assertEquals(1, metrics.failureCount());
    }

    /** As at each heartbeat of each node. */
    @Test
    void whatFailsAgainAndAgainIsSaidOnceInAMinute() {
        for (int second = 0; second < 90; second++) {
            nanos.set(second * 1_000_000_000L);
            own.or("count", () -> 3, () -> {
                throw new IllegalStateException("ours");
            });
        }
        own.run("weigh", () -> {
            throw new IllegalStateException("ours");
        });
        assertEquals(
                List.of(
                        "Treadle failed to count; CapacityScheduler goes on without",
                        "Treadle failed to count (and 59 times more since it was said last); CapacityScheduler goes on without",
                        "Treadle failed to weigh; CapacityScheduler goes on without"),
                log.lines());
        assertEquals(91, metrics.failureCount());
    }
}
