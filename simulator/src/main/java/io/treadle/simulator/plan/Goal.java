// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.result.SummaryTable;
import java.util.Locale;
import java.util.Optional;

/**
 * What must hold.
 *
 * @param queue whose jobs it is about; empty for all
 * @param statistic of the jobs' values; empty where the measure is one of the whole cluster
 * @param bound a figure must be below it, s or a ratio; a utilization above it, 0 to 1
 * @param text as it was given
 */
record Goal(Optional<String> queue, Optional<Statistic> statistic, Measure measure, double bound, String text) {
    boolean holds(double figure) {
        return measure == Measure.UTILIZATION ? figure > bound : figure < bound;
    }

    /** The figure that it is about, in words. */
    String subject() {
        return queue.map(name -> name + ": ").orElse("")
                + statistic.map(one -> one.text() + " ").orElse("")
                + measure.text();
    }

    /** A figure in the unit that people would use. */
    String shown(double figure) {
        if (Double.isInfinite(figure)) {
            return "never";
        }
        if (measure == Measure.UTILIZATION) {
            return String.format(Locale.ROOT, "%.1f %%", 100 * figure);
        }
        return measure.isTime() ? SummaryTable.time(figure) : String.format(Locale.ROOT, "%.2f", figure);
    }
}
