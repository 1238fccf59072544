// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.FakeClock;
import io.treadle.nm.TestConf;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.nvml.FakeNvml;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over the fake NVML library. */
class DriverWatchTest {
    private static final String NODE = "n1:45454";
    private static final long INTERVAL_MS = 60_000;
    private static final String BEAN = "Hadoop:service=NodeManager,name=TreadleGpu-GPU-late";

    private final FakeClock clock = new FakeClock();
    private final FakeNvml nvml;
    private final NodeConf conf;

    DriverWatchTest(@TempDir Path directory) throws IOException, InterruptedException {
        this.nvml = FakeNvml.build(directory);
        this.conf = TestConf.of("device-provider", "nvml", "nvml-library", nvml.library());
    }

    @BeforeEach
    void start() {
        DefaultMetricsSystem.initialize("NodeManager");
    }

    @AfterEach
    void stop() {
        DefaultMetricsSystem.shutdown();
    }

    @Test
    void driverThatComesUpLateIsSeenInTheMetrics() throws IOException, JMException {
        nvml.say("init 9");
        DeviceProbe.Discovery atStart = DeviceProbe.discover(conf, clock);
        assertEquals(0, atStart.provider().devices().size());
        DriverWatch watch =
                new DriverWatch(() -> DeviceProbe.discover(conf, clock), atStart.notes(), clock, INTERVAL_MS);

        nvml.say("init 18");
        clock.advance(INTERVAL_MS);
        watch.look(NODE);
        assertFalse(watch.hasFound(), "the driver is broken in another way");

        nvml.say("init 0", FakeNvml.gpu("GPU-late", 61_500, 0));
        watch.look(NODE);
        assertFalse(watch.hasFound(), "the interval is not over");
        clock.advance(INTERVAL_MS);
        watch.look(NODE);
        assertTrue(watch.hasFound());
        var beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName bean = new ObjectName(BEAN);
        eventually(
                "the reading", () -> beans.getAttribute(bean, "PowerDrawWatts").equals(61.5));

        nvml.say("init 0", FakeNvml.gpu("GPU-late", 99_000, 0));
        watch.look(NODE);
        eventually("the next reading", () -> beans.getAttribute(bean, "PowerDrawWatts")
                .equals(99.0));
        watch.close();
        assertFalse(beans.isRegistered(bean));
    }

    @Test
    void closingWithoutAFindIsFine() {
        new DriverWatch(() -> DeviceProbe.discover(conf, clock), java.util.List.of(), clock, INTERVAL_MS).close();
    }
}
