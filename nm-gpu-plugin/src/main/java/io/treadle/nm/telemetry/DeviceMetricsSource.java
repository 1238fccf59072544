// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The last reading of one device, in metrics2's form. */
final class DeviceMetricsSource implements MetricsSource {
    private static final long BYTES_PER_MIB = 1L << 20;

    private final String provider;
    private volatile NodeRecord.Device device;

    DeviceMetricsSource(String provider, NodeRecord.Device device) {
        this.provider = provider;
        this.device = device;
    }

    void update(NodeRecord.Device reading) {
        device = reading;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        NodeRecord.Device now = device;
        collector
                .addRecord("TreadleGpu")
                .setContext("treadle")
                .tag(info("uuid", "UUID of the device"), now.uuid())
                .tag(info("index", "place on the node"), Integer.toString(now.index()))
                .tag(info("model", "model name"), now.model())
                .tag(info("provider", "where the readings come from"), provider)
                .addGauge(info("PowerDrawWatts", "draw, W"), now.watts())
                .addGauge(info("PowerCapWatts", "limit in force, W"), now.capWatts())
                .addGauge(
                        info("EffectiveCapWatts", "limit that is enforced, W"),
                        now.power().map(DevicePower::effectiveCapWatts).orElse(0.0))
                .addGauge(
                        info("WantedCapWatts", "cap that the scheduler wants, W; 0 for none"),
                        now.power().map(DevicePower::wantedCapWatts).orElse(0.0))
                .addGauge(
                        info("SmClockMegahertz", "clock of the multiprocessors, MHz"),
                        now.power().map(DevicePower::smMegahertz).orElse(0))
                .addGauge(info("UtilizationPercent", "share of time in which kernels ran"), now.utilizationPercent())
                .addGauge(info("MemoryUsedBytes", "memory in use"), now.memoryUsedMiB() * BYTES_PER_MIB)
                .addGauge(info("MemoryTotalBytes", "memory"), now.memoryMiB() * BYTES_PER_MIB)
                .addGauge(info("TemperatureCelsius", "temperature"), now.temperatureCelsius())
                .addCounter(info("EnergyMillijoules", "energy spent, mJ"), now.energyMillijoules())
                .addGauge(
                        info("Lost", "1 while the device does not answer"),
                        now.health() == NodeRecord.Health.LOST ? 1 : 0)
                .addGauge(info("Simulated", "1 where no hardware stands behind it"), now.simulated() ? 1 : 0)
                .addGauge(
                        info("Containers", "containers that hold it"),
                        now.containers().size());
    }

    private static MetricsInfo info(String name, String description) {
        return Interns.info(name, description);
    }
}
