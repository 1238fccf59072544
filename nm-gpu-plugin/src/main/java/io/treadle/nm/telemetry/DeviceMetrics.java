// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * One metrics2 source a device, so that {@code /jmx} and {@code /prom} of the NodeManager show them: {@code
 * treadle_gpu_power_draw_watts{uuid=…}} and so on.
 */
public final class DeviceMetrics {
    private static final String SOURCE_PREFIX = "TreadleGpu-";
    private static final String NODE_SOURCE = "TreadleNode";

    private final String provider;
    private final MetricsSystem system = DefaultMetricsSystem.instance();
    private final Map<String, DeviceMetricsSource> sources = new HashMap<>();
    private Optional<NodeMetricsSource> nodeSource = Optional.empty();

    public DeviceMetrics(String provider) {
        this.provider = provider;
    }

    public void update(NodeRecord node) {
        for (NodeRecord.Device device : node.devices()) {
            DeviceMetricsSource source = sources.get(device.uuid());
            if (source == null) {
                source = new DeviceMetricsSource(provider, device);
                sources.put(device.uuid(), source);
                // A NodeManager that ran in this JVM before may have left its source.
                system.unregisterSource(SOURCE_PREFIX + device.uuid());
                system.register(SOURCE_PREFIX + device.uuid(), "GPU " + device.uuid(), source);
            }
            source.update(device);
        }
        node.power().ifPresent(this::update);
    }

    private void update(NodePower power) {
        if (nodeSource.isEmpty()) {
            NodeMetricsSource source = new NodeMetricsSource(power);
            nodeSource = Optional.of(source);
            system.unregisterSource(NODE_SOURCE);
            system.register(NODE_SOURCE, "power of the node", source);
        }
        nodeSource.get().update(power);
    }

    public void close() {
        sources.keySet().forEach(uuid -> system.unregisterSource(SOURCE_PREFIX + uuid));
        sources.clear();
        nodeSource.ifPresent(source -> system.unregisterSource(NODE_SOURCE));
        nodeSource = Optional.empty();
    }
}
