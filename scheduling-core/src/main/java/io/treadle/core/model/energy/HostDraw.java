// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What nodes draw beside their GPUs, as a straight line over what their GPUs draw: fans and power supplies draw more where
 * those do. Fitted by least squares to the last readings. Not thread-safe.
 */
public final class HostDraw {
    private static final int MOST_READINGS = 600;
    /** More than that no power supply loses; what looks so is something else. */
    private static final double MOST_SLOPE = 0.5;
    /** GPUs that have always drawn about the same tell nothing of the slope. */
    private static final double LEAST_SPREAD = 0.1;

    private record Reading(double gpuWatts, double hostWatts) {}

    private final Deque<Reading> readings = new ArrayDeque<>();

    /**
     * @param idleWatts of a node whose GPUs drew nothing, W
     * @param slope watts more for each watt of its GPUs
     */
    public record Line(double idleWatts, double slope) {}

    /**
     * A node's reading; one that cannot be is left out.
     *
     * @param nodeWatts of the node with its GPUs, W
     * @param gpuWatts of its GPUs together, W
     */
    public void add(double nodeWatts, double gpuWatts) {
        if (gpuWatts >= 0 && nodeWatts >= gpuWatts && Double.isFinite(nodeWatts)) {
            readings.add(new Reading(gpuWatts, nodeWatts - gpuWatts));
            if (readings.size() > MOST_READINGS) {
                readings.remove();
            }
        }
    }

    /** Of a node; nothing is drawn as long as there is no reading. */
    public Line line() {
        double gpus = mean(true);
        double hosts = mean(false);
        double spread = 0;
        double together = 0;
        for (Reading reading : readings) {
            spread += (reading.gpuWatts() - gpus) * (reading.gpuWatts() - gpus);
            together += (reading.gpuWatts() - gpus) * (reading.hostWatts() - hosts);
        }
        boolean tells = Math.sqrt(spread / Math.max(1, readings.size())) > LEAST_SPREAD * gpus;
        double slope = tells ? Math.min(MOST_SLOPE, Math.max(0, together / spread)) : 0;
        return new Line(Math.max(0, hosts - slope * gpus), slope);
    }

    private double mean(boolean ofGpus) {
        return readings.stream()
                .mapToDouble(reading -> ofGpus ? reading.gpuWatts() : reading.hostWatts())
                .average()
                .orElse(0);
    }
}
