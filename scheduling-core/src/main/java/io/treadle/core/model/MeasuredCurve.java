// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Turns measured speeds over vcores, which are noisy and few, into a matrix that a policy can trust: never falling with
 * more vcores (pool adjacent violators), level where the rest is noise, and, where the speed still rises at the largest
 * size that was measured, taken to rise on to twice that size until a measurement there says otherwise.
 */
public final class MeasuredCurve {
    /** Speeds this close to the best, as a fraction of it, count as the best. */
    static final double PLATEAU = 0.05;
    /** Gain of the last step, as a fraction of what proportional scaling would give, from which the speed still rises. */
    static final double STILL_RISING = 0.5;

    private MeasuredCurve() {}

    /**
     * @param samplesPerSecond by vcores of one task
     * @return empty where nothing above zero was measured
     */
    public static Optional<SensitivityMatrix> fit(Map<Long, Double> samplesPerSecond) {
        TreeMap<Long, Double> points = new TreeMap<>(samplesPerSecond);
        points.values().removeIf(speed -> !(speed > 0) || speed.isInfinite());
        if (points.isEmpty()) {
            return Optional.empty();
        }
        List<Long> vcores = new ArrayList<>(points.keySet());
        double[] speeds = nonDecreasing(new ArrayList<>(points.values()));
        double best = speeds[speeds.length - 1];
        for (int i = 0; i < speeds.length; i++) {
            speeds[i] = speeds[i] >= best * (1 - PLATEAU) ? best : speeds[i];
        }
        return Optional.of(stillRising(vcores, speeds) ? extended(vcores, speeds) : matrix(vcores, speeds));
    }

    private static boolean stillRising(List<Long> vcores, double[] speeds) {
        int last = speeds.length - 1;
        if (last == 0) {
            return false;
        }
        double gain = speeds[last] / speeds[last - 1] - 1;
        double proportional = (double) vcores.get(last) / vcores.get(last - 1) - 1;
        return gain >= STILL_RISING * proportional;
    }

    private static SensitivityMatrix extended(List<Long> vcores, double[] speeds) {
        int last = speeds.length - 1;
        double slope = (speeds[last] - speeds[last - 1]) / (vcores.get(last) - vcores.get(last - 1));
        List<Long> more = new ArrayList<>(vcores);
        more.add(vcores.get(last) * 2);
        double[] longer = java.util.Arrays.copyOf(speeds, speeds.length + 1);
        longer[last + 1] = speeds[last] + slope * vcores.get(last);
        return matrix(more, longer);
    }

    private static SensitivityMatrix matrix(List<Long> vcores, double[] speeds) {
        return SensitivityMatrix.overVcores(
                vcores.stream().mapToLong(Long::longValue).toArray(), speeds);
    }

    /** Least-squares fit that never falls: runs of points that fall are replaced by their mean. */
    private static double[] nonDecreasing(List<Double> values) {
        record Run(double mean, int length) {}
        List<Run> runs = new ArrayList<>();
        for (double value : values) {
            Run run = new Run(value, 1);
            while (!runs.isEmpty() && runs.get(runs.size() - 1).mean() > run.mean()) {
                Run before = runs.remove(runs.size() - 1);
                int length = before.length() + run.length();
                run = new Run((before.mean() * before.length() + run.mean() * run.length()) / length, length);
            }
            runs.add(run);
        }
        return runs.stream()
                .flatMapToDouble(
                        r -> java.util.stream.DoubleStream.generate(r::mean).limit(r.length()))
                .toArray();
    }
}
