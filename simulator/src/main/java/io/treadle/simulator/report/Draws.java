// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Energy of jobs by whose they are, J; nothing where the trace does not say.
 *
 * @param byQueue by queue
 * @param byUser by user
 */
record Draws(Map<String, Double> byQueue, Map<String, Double> byUser) {
    static Draws of(RunLog log) {
        return new Draws(by(Grouping.QUEUE, log), by(Grouping.USER, log));
    }

    private static Map<String, Double> by(Grouping grouping, RunLog log) {
        Map<String, Double> joules = new TreeMap<>();
        Optional<Draw> draw = log.draw();
        if (draw.isPresent()) {
            for (int job = 0; job < log.jobs().size(); job++) {
                double own = draw.get().jobJoules()[job];
                grouping.of().apply(log.jobs().get(job)).ifPresent(name -> joules.merge(name, own, Double::sum));
            }
        }
        return joules;
    }
}
