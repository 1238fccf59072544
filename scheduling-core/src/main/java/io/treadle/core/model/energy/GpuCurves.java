// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A job's iterations on one GPU over power cap and batch size. Between measured batch sizes time and energy of an iteration
 * go along straight lines: each has a part for the iteration and one for every sample. (Energy, not power: on what three GPU
 * models were measured, this foretells energy better than any interpolation of power.)
 */
public final class GpuCurves {
    private record AtBatch(CapTime time, CapDraw draw) {
        double joules(double capWatts) {
            return time.seconds(capWatts) * draw.watts(capWatts);
        }
    }

    private final TreeMap<Long, AtBatch> byBatch = new TreeMap<>();

    private GpuCurves() {}

    /**
     * @param usualExponent of the GPU model, as {@link CapTime#fit} takes it
     * @throws IllegalArgumentException where there are no samples
     */
    public static GpuCurves fit(List<GpuSample> samples, double usualExponent) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no measurements to fit a model of time and energy to");
        }
        Map<Long, List<GpuSample>> groups = new TreeMap<>();
        samples.forEach(
                s -> groups.computeIfAbsent(s.batch(), b -> new ArrayList<>()).add(s));
        GpuCurves curves = new GpuCurves();
        groups.forEach((batch, group) ->
                curves.byBatch.put(batch, new AtBatch(CapTime.fit(group, usualExponent), CapDraw.fit(group))));
        return curves;
    }

    /** Time of an iteration of so many samples at the cap in W, s. */
    public double seconds(double batch, double capWatts) {
        double line = along(batch, at -> at.time().seconds(capWatts));
        // Beyond what was measured the lines of time and energy part; the draw stays below the cap all the same.
        return Math.max(line, joules(batch, capWatts) / (CapDraw.MOST_OVER_CAP * capWatts));
    }

    /** Energy of an iteration of so many samples at the cap in W, J. */
    public double joules(double batch, double capWatts) {
        return along(batch, at -> at.joules(capWatts));
    }

    /** Average draw in an iteration of so many samples at the cap in W, W. */
    public double watts(double batch, double capWatts) {
        return joules(batch, capWatts) / seconds(batch, capWatts);
    }

    private double along(double batch, ToDoubleFunction<AtBatch> value) {
        if (!(batch > 0) || Double.isInfinite(batch)) {
            throw new IllegalArgumentException("batch " + batch + " is not a finite number above 0");
        }
        Map.Entry<Long, AtBatch> from = orElse(byBatch.floorEntry((long) batch), byBatch.firstEntry());
        Map.Entry<Long, AtBatch> to = orElse(byBatch.higherEntry(from.getKey()), byBatch.lowerEntry(from.getKey()));
        double at = value.applyAsDouble(from.getValue());
        // Of one batch size alone: a sample costs the same everywhere.
        double perSample = at / from.getKey();
        double slope =
                to == null ? perSample : (value.applyAsDouble(to.getValue()) - at) / (to.getKey() - from.getKey());
        boolean between = batch >= from.getKey() && to != null && batch <= to.getKey();
        // Beyond what was measured more samples never cost less, and an iteration without any costs nothing below zero.
        double bounded = between ? slope : Math.max(0, Math.min(slope, perSample));
        return at + bounded * (batch - from.getKey());
    }

    private static <T extends @Nullable Object> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }
}
