// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;

/**
 * From figures to places on a drawing.
 *
 * @param least figure, above 0 where it is logarithmic
 * @param most figure, above the least
 * @param start place of the least
 * @param end place of the most
 */
record Scale(double least, double most, boolean isLog, double start, double end) {
    private static final int TICKS = 5;
    private static final double[] ROUND = {1, 2, 5};

    /** From 0 to the given figure or a little more. */
    static Scale linear(double most, double start, double end) {
        return new Scale(0, Math.max(most, 1e-9), false, start, end);
    }

    /** Between round figures: 1, 2 or 5 times a power of ten. */
    static Scale log(double least, double most, double start, double end) {
        double low = Math.pow(10, Math.floor(Math.log10(least)));
        double high = Math.pow(10, Math.floor(Math.log10(most)) + 1);
        List<Double> rounds = new Scale(low, high, true, start, end).ticks();
        double from = rounds.stream()
                .filter(round -> round <= least)
                .reduce((one, next) -> next)
                .orElse(low);
        double to = rounds.stream()
                .filter(round -> round >= most && round > from)
                .findFirst()
                .orElse(high);
        return new Scale(from, to, true, start, end);
    }

    /** What lies outside is drawn at the edge. */
    double at(double figure) {
        double inside = Math.min(most, Math.max(least, figure));
        double part = isLog ? Math.log(inside / least) / Math.log(most / least) : (inside - least) / (most - least);
        return start + part * (end - start);
    }

    /** Round figures to label, a handful. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (isLog) {
            for (int power = (int) Math.floor(Math.log10(least)); Math.pow(10, power) <= most; power++) {
                for (double step : ROUND) {
                    double tick = step * Math.pow(10, power);
                    if (tick >= least && tick <= most) {
                        ticks.add(tick);
                    }
                }
            }
        } else {
            double step = step();
            for (int i = 0; i * step <= most * (1 + 1e-9); i++) {
                ticks.add(i * step);
            }
        }
        return ticks;
    }

    private double step() {
        double rough = (most - least) / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double step : ROUND) {
            if (step * power >= rough) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
