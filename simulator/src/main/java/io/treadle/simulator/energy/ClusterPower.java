// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import io.treadle.core.cluster.PowerView;
import java.util.stream.DoubleStream;

/**
 * What nodes and GPUs of a cluster draw.
 *
 * @param nodeWatts a node that is on, without its GPUs, W
 * @param idleGpuWatts a GPU that nobody has, or whose job does not train, W
 * @param leastCapWatts the lowest power cap that GPUs take, W
 * @param gpuWatts their default limit, W
 * @param capStepWatts from cap to cap, W
 */
public record ClusterPower(
        double nodeWatts, double idleGpuWatts, double leastCapWatts, double gpuWatts, double capStepWatts) {
    /** Nodes with A100s of 400 W; what the nodes draw is assumed. */
    public static final ClusterPower A100 = new ClusterPower(450, 55, 150, 400, 50);

    /** Caps from the lowest to the default limit, W. */
    public double[] caps() {
        DoubleStream below = DoubleStream.iterate(leastCapWatts, cap -> cap < gpuWatts, cap -> cap + capStepWatts);
        return DoubleStream.concat(below, DoubleStream.of(gpuWatts)).toArray();
    }

    /** What all nodes with all GPUs at their limits may draw at most, W. */
    public double peakWatts(long nodes, long gpus) {
        return nodes * nodeWatts + gpus * gpuWatts;
    }

    /** Without a limit, where energy costs nothing. */
    public PowerView view() {
        return PowerView.unlimited(nodeWatts, idleGpuWatts, gpuWatts);
    }
}
