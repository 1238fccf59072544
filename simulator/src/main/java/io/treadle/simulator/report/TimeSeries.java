// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

/**
 * What was in use over time, as means over stretches of equal length from the first submission to the last thing that
 * happened. All arrays have one value for each stretch and are not changed.
 *
 * @param stretchSeconds length of one, s
 * @param usedGpus GPUs that were held
 * @param usedNodes nodes on which at least part of a GPU was held
 * @param running jobs that ran
 * @param pending jobs that waited
 * @param busiestMs the first moment at which most GPUs were in use, ms since the trace's zero
 */
@SuppressWarnings("ArrayRecordComponent") // not compared; boxed lists of thousands of numbers would be
record TimeSeries(
        double stretchSeconds,
        double[] usedGpus,
        double[] usedNodes,
        double[] running,
        double[] pending,
        long busiestMs) {
    int stretches() {
        return usedGpus.length;
    }

    /** Middles of the stretches, s since the first submission. */
    double[] seconds() {
        double[] seconds = new double[stretches()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = (i + 0.5) * stretchSeconds;
        }
        return seconds;
    }

    /** How many GPUs were held on a node on which any was; 0 where none was. */
    double[] usedGpusPerUsedNode() {
        double[] ratio = new double[stretches()];
        for (int i = 0; i < ratio.length; i++) {
            ratio[i] = usedNodes[i] <= 0 ? 0 : usedGpus[i] / usedNodes[i];
        }
        return ratio;
    }
}
