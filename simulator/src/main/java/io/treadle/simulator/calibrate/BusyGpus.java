// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import java.util.List;
import java.util.TreeMap;

/**
 * How many GPUs the jobs held over time, really and in the simulation, each job from its first start to its end.
 *
 * @param realMean on average between the first start and the last end of both
 * @param simulatedMean as {@code realMean}
 * @param meanAbsoluteError how far the numbers are from each other at a moment, on average over the same time
 */
public record BusyGpus(double realMean, double simulatedMean, double meanAbsoluteError) {
    static BusyGpus of(List<Twice> jobs) {
        TreeMap<Long, long[]> changes = new TreeMap<>();
        for (Twice job : jobs) {
            long gpus = job.job().gpus();
            change(changes, job.really().startMs(), 0, gpus);
            change(changes, job.really().endMs(), 0, -gpus);
            change(changes, job.startMs(), 1, gpus);
            change(changes, job.endMs(), 1, -gpus);
        }
        long begin = changes.firstKey();
        double span = Math.max(1, changes.lastKey() - begin);
        double[] area = new double[3];
        long[] busy = new long[2];
        long before = begin;
        for (var change : changes.entrySet()) {
            long length = change.getKey() - before;
            area[0] += (double) length * busy[0];
            area[1] += (double) length * busy[1];
            area[2] += (double) length * Math.abs(busy[0] - busy[1]);
            busy[0] += change.getValue()[0];
            busy[1] += change.getValue()[1];
            before = change.getKey();
        }
        return new BusyGpus(area[0] / span, area[1] / span, area[2] / span);
    }

    private static void change(TreeMap<Long, long[]> changes, long atMs, int which, long gpus) {
        changes.computeIfAbsent(atMs, at -> new long[2])[which] += gpus;
    }
}
