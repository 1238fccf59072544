// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import io.treadle.core.cluster.PowerView;
import java.util.Locale;
import java.util.OptionalDouble;
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
    /** More than any node without its GPUs, and any GPU, draws, W. */
    public static final int MOST_WATTS = 5000;

    /** Nodes with A100s of 400 W; what the nodes draw is assumed. */
    public static final ClusterPower A100 = of(450, 55, 400);
    /** Nodes with V100s of 250 W; what the nodes draw is assumed. */
    public static final ClusterPower V100 = of(450, 25, 250);

    private static final int MOST_CAPS = 100;
    /** GPUs of so much and less take caps in finer steps, W. */
    private static final double SMALL_GPU_WATTS = 300;
    /** Below this part of the default limit a cap costs energy: work takes longer than its draw falls. */
    private static final double LEAST_CAP = 0.4;

    public ClusterPower {
        require(0, MOST_WATTS, "nodeWatts", nodeWatts);
        require(1, MOST_WATTS, "gpuWatts", gpuWatts);
        require(0, gpuWatts, "idleGpuWatts", idleGpuWatts);
        require(1, gpuWatts, "leastCapWatts", leastCapWatts);
        require(1, gpuWatts, "capStepWatts", capStepWatts);
        if ((gpuWatts - leastCapWatts) / capStepWatts >= MOST_CAPS) {
            throw new IllegalArgumentException(
                    "capStepWatts is " + watts(capStepWatts) + ", must be such that there are" + " at most " + MOST_CAPS
                            + " caps from " + watts(leastCapWatts) + " to " + watts(gpuWatts) + " W");
        }
    }

    private static void require(double least, double most, String what, double value) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(what + " is " + watts(value) + ", must be from " + watts(least) + " to "
                    + watts(most) + " W" + (most < MOST_WATTS ? ", the GPUs' default limit" : ""));
        }
    }

    private static String watts(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : String.valueOf(value);
    }

    /** With the caps that {@link #of(double, double, double, OptionalDouble, OptionalDouble)} takes where none are told. */
    public static ClusterPower of(double nodeWatts, double idleGpuWatts, double gpuWatts) {
        return of(nodeWatts, idleGpuWatts, gpuWatts, OptionalDouble.empty(), OptionalDouble.empty());
    }

    /**
     * @param leastCapWatts where empty, the multiple of the step that is nearest to 0.4 times the default limit, W
     * @param capStepWatts where empty, 25 W for GPUs of 300 W and less, 50 W for others
     * @throws IllegalArgumentException if a value contradicts another, or is one that nothing draws
     */
    public static ClusterPower of(
            double nodeWatts,
            double idleGpuWatts,
            double gpuWatts,
            OptionalDouble leastCapWatts,
            OptionalDouble capStepWatts) {
        double step = capStepWatts.orElse(Math.min(gpuWatts, gpuWatts <= SMALL_GPU_WATTS ? 25 : 50));
        double least = leastCapWatts.orElseGet(
                () -> Math.min(gpuWatts, Math.max(step, step * Math.round(LEAST_CAP * gpuWatts / step))));
        return new ClusterPower(nodeWatts, idleGpuWatts, least, gpuWatts, step);
    }

    /** Caps from the lowest to the default limit, W. */
    public double[] caps() {
        DoubleStream below = DoubleStream.iterate(leastCapWatts, cap -> cap < gpuWatts, cap -> cap + capStepWatts);
        return DoubleStream.concat(below, DoubleStream.of(gpuWatts)).toArray();
    }

    /** What all nodes with all GPUs draw where nobody uses them, W. */
    public double idleWatts(long nodes, long gpus) {
        return nodes * nodeWatts + gpus * idleGpuWatts;
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
