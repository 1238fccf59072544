// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.Arrays;

/** How many jobs there are over time. */
final class Crowd {
    private final long[] comings;
    private final long[] goings;
    /** Sums of all before, so that the jobs summed up over time are told by two searches. */
    private final double[] comingSums;

    private final double[] goingSums;

    /**
     * @param comings when jobs come, ms, in any order
     * @param goings when they go, ms, in any order
     */
    Crowd(long[] comings, long[] goings) {
        this.comings = comings.clone();
        this.goings = goings.clone();
        Arrays.sort(this.comings);
        Arrays.sort(this.goings);
        comingSums = sums(this.comings);
        goingSums = sums(this.goings);
    }

    private static double[] sums(long[] times) {
        double[] sums = new double[times.length + 1];
        for (int i = 0; i < times.length; i++) {
            sums[i + 1] = sums[i] + times[i];
        }
        return sums;
    }

    /** The mean number of jobs between two moments; at one moment, those that are there, counting who comes and goes then. */
    double mean(long fromMs, long toMs) {
        if (fromMs == toMs) {
            return Math.max(1, upTo(comings, fromMs) - upTo(goings, fromMs - 1));
        }
        return (jobMs(toMs) - jobMs(fromMs)) / (toMs - fromMs);
    }

    private double jobMs(long ms) {
        int came = upTo(comings, ms);
        int gone = upTo(goings, ms);
        return (double) came * ms - comingSums[came] - ((double) gone * ms - goingSums[gone]);
    }

    /** How many are not later. */
    private static int upTo(long[] times, long ms) {
        int low = 0;
        int high = times.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] <= ms) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
