// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.wire.NodeRecord;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Through Hadoop's own metrics system, to JMX and to the Prometheus sink that serves {@code /prom}. */
class DeviceMetricsTest {
    private static final String BEAN = "Hadoop:service=NodeManager,name=TreadleGpu-GPU-sim-1";

    private final PrometheusMetricsSink prometheus = new PrometheusMetricsSink();

    @BeforeEach
    void start() {
        DefaultMetricsSystem.initialize("NodeManager");
        DefaultMetricsSystem.instance().register("prometheus-of-the-test", "for the test", prometheus);
    }

    @AfterEach
    void stop() {
        DefaultMetricsSystem.shutdown();
    }

    @Test
    void lastReadingIsInJmxAndPrometheus() throws JMException {
        DeviceMetrics metrics = new DeviceMetrics("simulated");
        metrics.update(TestRecords.node(61.5, NodeRecord.Health.OK));
        metrics.update(TestRecords.node(72.5, NodeRecord.Health.LOST, "c1"));
        var beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName bean = new ObjectName(BEAN);
        for (var expected : Map.of(
                        "PowerDrawWatts",
                        72.5,
                        "PowerCapWatts",
                        400.0,
                        "MemoryUsedBytes",
                        1024L << 20,
                        "EnergyMillijoules",
                        7L,
                        "Lost",
                        1,
                        "Containers",
                        1,
                        "tag.provider",
                        "simulated")
                .entrySet()) {
            eventually(
                    expected.toString(), () -> expected.getValue().equals(beans.getAttribute(bean, expected.getKey())));
        }
        eventually("the line in /prom", () -> {
            DefaultMetricsSystem.instance().publishMetricsNow();
            StringWriter text = new StringWriter();
            prometheus.writeMetrics(text);
            return text.toString()
                    .lines()
                    .anyMatch(line -> line.startsWith("treadle_gpu_power_draw_watts{")
                            && line.contains("uuid=\"GPU-sim-1\"")
                            && line.endsWith(" 72.5"));
        });
        metrics.close();
        assertFalse(beans.isRegistered(bean));
    }

    @Test
    void capsAndTheNodesDrawAreInJmx() throws JMException {
        DeviceMetrics metrics = new DeviceMetrics("nvml");
        metrics.update(TestRecords.capped(300, 250, "refused"));
        var beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName gpu = new ObjectName(BEAN);
        ObjectName node = new ObjectName("Hadoop:service=NodeManager,name=TreadleNode");
        for (var expected : Map.of("EffectiveCapWatts", 300.0, "WantedCapWatts", 250.0, "SmClockMegahertz", 1095)
                .entrySet()) {
            eventually(
                    expected.toString(), () -> expected.getValue().equals(beans.getAttribute(gpu, expected.getKey())));
        }
        for (var expected : Map.of(
                        "PowerDrawWatts", 812.5,
                        "CapsEpoch", 7L,
                        "GpuEnergyMillijoules", 60L,
                        "IdleGpuEnergyMillijoules", 10L,
                        "tag.source", "rapl")
                .entrySet()) {
            eventually(
                    expected.toString(), () -> expected.getValue().equals(beans.getAttribute(node, expected.getKey())));
        }
        metrics.close();
        assertFalse(beans.isRegistered(node));
    }

    @Test
    void secondNodeManagerInOneJvmTakesTheSourceOver() throws JMException {
        new DeviceMetrics("simulated").update(TestRecords.node(61.5, NodeRecord.Health.OK));
        DeviceMetrics again = new DeviceMetrics("simulated");
        again.update(TestRecords.node(99, NodeRecord.Health.OK));
        var beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName bean = new ObjectName(BEAN);
        eventually("the second's reading", () -> beans.getAttribute(bean, "PowerDrawWatts")
                .equals(99.0));
        again.close();
    }
}
