// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.metrics;

import static org.apache.hadoop.test.MetricsAsserts.getLongGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalDouble;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;

class PowerMetricsTest {
    private static long gauge(String name) {
        return getLongGauge(name, getMetrics(TreadleMetrics.NAME));
    }

    @Test
    void powerAndEnergyAreWholeWattsAndJoules() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        TreadleMetrics metrics = TreadleMetrics.register();
        metrics.power(1499.6, OptionalDouble.of(2000), 7_200_000.4);
        assertEquals(1500, gauge("PowerWatts"));
        assertEquals(2000, gauge("PowerBudgetWatts"));
        assertEquals(7_200_000, gauge("EnergyJoules"));
        metrics.power(0, OptionalDouble.empty(), 7_200_000.4);
        assertEquals(0, gauge("PowerBudgetWatts"));
    }
}
