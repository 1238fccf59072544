// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.result.Summary;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What came of all runs. */
final class Figures {
    private static final double HOUR = 3600;

    private final Map<Run, Summary> summaries;

    /** One simulation. */
    record Run(Setting setting, String allocation) {}

    Figures(Map<Run, Summary> summaries) {
        this.summaries = new LinkedHashMap<>(summaries);
    }

    /** Mean time from submission to end, h; empty where that was not simulated. */
    Optional<Double> known(Setting setting, String allocation) {
        return summaries.containsKey(new Run(setting, allocation))
                ? Optional.of(meanHours(setting, allocation))
                : Optional.empty();
    }

    Summary of(Setting setting, String allocation) {
        Run run = new Run(setting, allocation);
        return Objects.requireNonNull(summaries.get(run), run::toString);
    }

    /** Mean time from submission to end, h. */
    double meanHours(Setting setting, String allocation) {
        return Objects.requireNonNull(of(setting, allocation).avgJctSeconds()) / HOUR;
    }

    /** Time from submission to end of all but one job in a hundred, h. */
    double p99Hours(Setting setting, String allocation) {
        return Objects.requireNonNull(of(setting, allocation).p99JctSeconds()) / HOUR;
    }

    /** In the order in which they were wanted. */
    Map<Run, Summary> all() {
        return Collections.unmodifiableMap(summaries);
    }
}
