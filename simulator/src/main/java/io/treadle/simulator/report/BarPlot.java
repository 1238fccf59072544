// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/** Bars by group, one for each policy in each, with their values as text. */
final class BarPlot {
    private record Row(String name, String note, Map<Integer, OptionalDouble> values) {}

    private final List<String> policies;
    private final DoubleFunction<String> text;
    private final List<Row> rows = new ArrayList<>();

    /** @param text how a value reads */
    BarPlot(List<String> policies, DoubleFunction<String> text) {
        this.policies = policies;
        this.text = text;
    }

    /** @param values by the policy's number */
    void row(String name, String note, Map<Integer, OptionalDouble> values) {
        rows.add(new Row(name, note, new TreeMap<>(values)));
    }

    String html() {
        double most = rows.stream()
                .flatMap(row -> row.values().values().stream())
                .mapToDouble(value -> value.orElse(0))
                .max()
                .orElse(0);
        StringBuilder html = new StringBuilder("<div class=\"bars\">");
        for (Row row : rows) {
            html.append("<div class=\"group\"><p>")
                    .append(Html.escape(row.name()))
                    .append(" <small>")
                    .append(Html.escape(row.note()))
                    .append("</small></p><ul>");
            row.values().forEach((policy, value) -> bar(html, policy, value, most));
            html.append("</ul></div>\n");
        }
        return html.append("</div>\n").toString();
    }

    private void bar(StringBuilder html, int policy, OptionalDouble value, double most) {
        String shown = value.isPresent() ? text.apply(value.getAsDouble()) : "–";
        html.append("<li class=\"s").append(policy % Series.COLOURS).append("\"><span class=\"hidden\">");
        html.append(Html.escape(policies.get(policy))).append(": </span><i style=\"width:");
        html.append(Html.number(most <= 0 ? 0 : 100 * value.orElse(0) / most));
        html.append("%\"></i><b>").append(Html.escape(shown)).append("</b></li>");
    }
}
