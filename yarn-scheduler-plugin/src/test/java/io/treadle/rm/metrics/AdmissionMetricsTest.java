// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.metrics;

import static org.apache.hadoop.test.MetricsAsserts.assertGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.treadle.core.plan.Certificate;
import java.util.Optional;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;

class AdmissionMetricsTest {
    private static final String NAME = AdmissionMetrics.nameOf("root.ml", "");

    @Test
    void queueHasItsOwnSourceWhileItsPolicyTells() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        AdmissionMetrics metrics = new AdmissionMetrics();
        metrics.show("root.ml", "", Optional.of(new Certificate(2, 4, true)));
        metrics.show("root.ml", "a100", Optional.of(new Certificate(3, 3, true)));
        assertGauge("Value", 2f, getMetrics(NAME));
        assertGauge("Bound", 4f, getMetrics(NAME));
        assertGauge("Gap", 0.5f, getMetrics(NAME));
        assertGauge("Gap", 0f, getMetrics(AdmissionMetrics.nameOf("root.ml", "a100")));
        metrics.show("root.ml", "", Optional.of(new Certificate(4, 4, true)));
        assertGauge("Gap", 0f, getMetrics(NAME));
        metrics.show("root.ml", "", Optional.empty());
        assertNull(DefaultMetricsSystem.instance().getSource(NAME));
        assertNotNull(DefaultMetricsSystem.instance().getSource(AdmissionMetrics.nameOf("root.ml", "a100")));
        metrics.close();
        assertNull(DefaultMetricsSystem.instance().getSource(AdmissionMetrics.nameOf("root.ml", "a100")));
        assertEquals("TreadleAdmission,queue=root.ml,partition=a100", AdmissionMetrics.nameOf("root.ml", "a100"));
    }
}
