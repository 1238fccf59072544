// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.Curve;

/** How the jobs of a span are spread over hours of the day and days of the week; second 0 is a Monday's midnight. */
final class ArrivalCurve {
    static final int HOURS = 24;
    static final int DAYS = 7;
    /** Arrivals are counted in bins of ten minutes. */
    static final int BIN_SECONDS = 600;

    static final int HOUR_SECONDS = 3600;
    static final int WEEK_SECONDS = DAYS * HOURS * HOUR_SECONDS;

    private final double span;
    /** Seconds of the span in each hour of the week. */
    private final double[] exposure = new double[DAYS * HOURS];
    /** Share of the jobs in each hour of the week. */
    private final double[] shares = new double[DAYS * HOURS];

    private final double squareOfVariation;

    ArrivalCurve(Curve hours, Curve weekdays, double spanSeconds) {
        this.span = spanSeconds;
        double sum = 0;
        for (int cell = 0; cell < exposure.length; cell++) {
            double weeks = Math.floor(spanSeconds / WEEK_SECONDS);
            double last = spanSeconds - weeks * WEEK_SECONDS - (double) cell * HOUR_SECONDS;
            exposure[cell] = weeks * HOUR_SECONDS + Math.min(Math.max(last, 0), HOUR_SECONDS);
            shares[cell] = exposure[cell] * hours.at(cell % HOURS) * weekdays.at(cell / HOURS);
            sum += shares[cell];
        }
        double square = 0;
        for (int cell = 0; cell < shares.length; cell++) {
            shares[cell] /= sum;
            square += exposure[cell] == 0 ? 0 : shares[cell] * shares[cell] / exposure[cell];
        }
        squareOfVariation = square * spanSeconds - 1;
    }

    double span() {
        return span;
    }

    double share(int cell) {
        return shares[cell];
    }

    double exposure(int cell) {
        return exposure[cell];
    }

    double hourShare(int hour) {
        double sum = 0;
        for (int day = 0; day < DAYS; day++) {
            sum += shares[day * HOURS + hour];
        }
        return sum;
    }

    double dayShare(int day) {
        double sum = 0;
        for (int hour = 0; hour < HOURS; hour++) {
            sum += shares[day * HOURS + hour];
        }
        return sum;
    }

    int bins() {
        return (int) Math.ceil(span / BIN_SECONDS);
    }

    /**
     * What the curve alone adds to variance over mean of the arrivals per bin: their mean times the square of the
     * curve's coefficient of variation.
     */
    double dispersion(int jobs) {
        return squareOfVariation * jobs / (span / BIN_SECONDS);
    }
}
