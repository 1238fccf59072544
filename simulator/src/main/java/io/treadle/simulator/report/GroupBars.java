// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** Bars of one figure for each group of jobs under each policy. */
record GroupBars(List<PolicyFigures> policies, List<String> names) {
    static GroupBars of(List<PolicyFigures> policies) {
        return new GroupBars(
                policies,
                policies.stream().map(policy -> policy.summary().policy()).toList());
    }

    /** @param rows the groups, in their order */
    String html(
            List<Groups.Group> rows,
            Function<PolicyFigures, List<Groups.Group>> groups,
            Function<Groups.Group, OptionalDouble> value,
            DoubleFunction<String> text) {
        BarPlot plot = new BarPlot(names, text);
        for (Groups.Group row : rows) {
            Map<Integer, OptionalDouble> values = new TreeMap<>();
            for (int i = 0; i < policies.size(); i++) {
                values.put(
                        i,
                        groups.apply(policies.get(i)).stream()
                                .filter(group -> group.name().equals(row.name()))
                                .findFirst()
                                .flatMap(group -> boxed(value.apply(group)))
                                .map(OptionalDouble::of)
                                .orElse(OptionalDouble.empty()));
            }
            plot.row(row.name(), Html.count(row.jobs()) + (row.jobs() == 1 ? " job" : " jobs"), values);
        }
        return plot.html();
    }

    private static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }
}
