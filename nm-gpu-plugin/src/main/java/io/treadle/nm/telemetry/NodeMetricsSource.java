// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodePower;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The node's draw and energy, in metrics2's form. */
final class NodeMetricsSource implements MetricsSource {
    private volatile NodePower power;

    NodeMetricsSource(NodePower power) {
        this.power = power;
    }

    void update(NodePower now) {
        power = now;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        NodePower now = power;
        collector
                .addRecord("TreadleNode")
                .setContext("treadle")
                .tag(Interns.info("source", "rapl, command or model"), now.source())
                .addGauge(Interns.info("PowerDrawWatts", "draw of the node, W"), now.watts())
                .addGauge(Interns.info("CapsEpoch", "epoch of the caps that hold; 0 for none"), now.capsEpoch())
                .addCounter(Interns.info("GpuEnergyMillijoules", "energy of all GPUs, mJ"), now.gpuMillijoules())
                .addCounter(
                        Interns.info("IdleGpuEnergyMillijoules", "the part without containers, mJ"),
                        now.idleMillijoules());
    }
}
