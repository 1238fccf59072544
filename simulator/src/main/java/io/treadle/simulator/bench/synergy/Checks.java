// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Holds runs in Synergy's rounds to the figures that its artifact is known to give for the very same work. */
final class Checks {
    private int known;
    private final List<String> wrong = new ArrayList<>();

    /** @param works drawn and measured as the artifact does */
    Checks(List<Work> works, Figures figures) {
        for (Work work : works) {
            for (Known figure : work.known()) {
                known++;
                double ours = figures.meanHours(work.setting(figure.rules()), figure.allocation());
                if (!figure.agrees(ours)) {
                    wrong.add(String.format(
                            Locale.ROOT,
                            "%s, %s, %s: mean JCT is %.4f h, must be the artifact's %s h",
                            work.words(),
                            figure.rules().words(),
                            figure.allocation(),
                            ours,
                            figure.hours()));
                }
            }
        }
    }

    /** A line for each figure that is not the artifact's. */
    List<String> wrong() {
        return wrong;
    }

    String words() {
        return known - wrong.size() + " of " + known
                + " means that the artifact is known to give come out equal to the last digit given.";
    }
}
