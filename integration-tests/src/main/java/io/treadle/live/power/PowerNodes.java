// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.NodeShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Nodes of simulated GPUs that draw, and take caps. */
final class PowerNodes {
    static final int COUNT = 2;
    static final int GPUS = 4;
    static final int GPU_WATTS = 400;
    static final int HOST_WATTS = 300;
    /** What hosts draw the more for each watt of their GPUs: the node plugin's model of a power supply. */
    static final double HOST_SLOPE = 0.1;
    /** As simulated GPUs do. */
    static final double IDLE_WATTS = 0.15 * GPU_WATTS;
    /** For which a job does nothing when it gets other GPUs, as policies weigh it. */
    static final int RESCALE_SECONDS = 3;

    private static final String GPU = "A100-SXM4-40GB";
    private static final int GPU_MIB = 40960;
    private static final int VCORES = 16;
    private static final int MEMORY_MIB = 8192;

    static final List<NodeShape> ALL = IntStream.rangeClosed(1, COUNT)
            .mapToObj(i ->
                    new NodeShape("n" + i, MEMORY_MIB, VCORES, List.of(new DeviceShape(GPUS, GPU, GPU_MIB, GPU_WATTS))))
            .toList();

    private PowerNodes() {}

    /** What all nodes draw with all GPUs at their limits, W. */
    static double peakWatts() {
        return COUNT * (HOST_WATTS + GPUS * (double) GPU_WATTS);
    }

    /** @param budget of the whole cluster, as its setting has it; empty for none */
    static Map<String, String> settings(String budget) {
        Map<String, String> settings = new HashMap<>();
        settings.put("yarn.nodemanager.treadle.telemetry-interval-ms", "500");
        settings.put("yarn.nodemanager.treadle.power.change-interval-ms", "1000");
        settings.put("yarn.nodemanager.treadle.power.node-idle-watts", Integer.toString(HOST_WATTS));
        settings.put("yarn.nodemanager.treadle.power.node-share", Double.toString(HOST_SLOPE));
        settings.put("yarn.scheduler.treadle.power.rescale-seconds", Integer.toString(RESCALE_SECONDS));
        settings.put("yarn.scheduler.treadle.crossing-penalty", "0");
        settings.put("treadle.elastic.gather-seconds", "1");
        settings.put("treadle.profile.energy.enabled", "true");
        // What workers wrote of their progress is read when they have ended.
        settings.put("yarn.nodemanager.delete.debug-delay-sec", "3600");
        if (!budget.isEmpty()) {
            settings.put("yarn.scheduler.treadle.power-budget-watts", budget);
        }
        return settings;
    }
}
