// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One load under each policy.
 *
 * @param runs one or more
 * @param perSecond queries, on average
 * @param setting what else was alike, in words: workers, memory, models
 */
public record ServeResult(List<PolicyRun> runs, double perSecond, String setting) {
    private static final String OURS = "compass";

    public ServeResult {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("there are no runs, must be one or more");
        }
    }

    /** That to which the others are compared: compass, or where it was not run the first. */
    PolicyRun reference() {
        return runs.stream()
                .filter(run -> run.policy().equals(OURS))
                .findFirst()
                .orElse(runs.get(0));
    }

    /** How many times as long its queries take on average as those of {@link #reference}; NaN where none was answered. */
    public double ratio(PolicyRun run) {
        return run.meanMs() / reference().meanMs();
    }

    Set<String> workflows() {
        Set<String> names = new TreeSet<>();
        runs.forEach(run -> names.addAll(run.workflows()));
        return names;
    }
}
