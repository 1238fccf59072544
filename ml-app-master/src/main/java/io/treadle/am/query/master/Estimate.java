// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

/** What something takes, by what it has taken: each new figure counts for a fifth. */
final class Estimate {
    private static final double NEW = 0.2;

    private double value;
    private boolean isMeasured;
    private long count;
    private double sum;

    /** @param first until it has been measured */
    Estimate(double first) {
        value = first;
    }

    /** As somebody else has measured it. */
    void learned(double figure) {
        value = figure;
        isMeasured = true;
    }

    void measured(double figure) {
        value = isMeasured ? value + NEW * (figure - value) : figure;
        isMeasured = true;
        count++;
        sum += figure;
    }

    boolean isMeasured() {
        return isMeasured;
    }

    /** How many figures there were. */
    long count() {
        return count;
    }

    /** Of all figures. */
    double sum() {
        return sum;
    }

    double value() {
        return value;
    }
}
