// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.rm.metrics.TreadleMetrics;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnPartTest {
    private final TreadleMetrics metrics = TreadleMetrics.register();
    private final OwnPart own = new OwnPart(() -> metrics);
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
}
