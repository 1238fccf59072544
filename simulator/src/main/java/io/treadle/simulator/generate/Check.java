// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

/**
 * A figure of the trace against what it should be.
 *
 * @param group heading under which it stands
 * @param label what is measured
 * @param expected as published
 * @param got in the trace
 * @param bound largest difference; NaN where the figure is shown and not judged
 * @param relative whether the bound is a percentage of {@code expected}; else it is in the figure's own unit
 */
record Check(String group, String label, double expected, double got, double bound, boolean relative) {
    static Check points(String group, String label, double expected, double got, double bound) {
        return new Check(group, label, expected, got, bound, false);
    }

    static Check relative(String group, String label, double expected, double got, double percent) {
        return new Check(group, label, expected, got, percent, true);
    }

    Check notJudged() {
        return new Check(group, label, expected, got, Double.NaN, relative);
    }

    boolean isJudged() {
        return !Double.isNaN(bound);
    }

    /** In the unit of the bound. */
    double difference() {
        return relative ? (got / expected - 1) * 100 : got - expected;
    }

    boolean isBroken() {
        return isJudged() && !(Math.abs(difference()) <= bound);
    }
}
