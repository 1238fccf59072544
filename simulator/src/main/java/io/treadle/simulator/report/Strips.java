// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;

/**
 * Rows of cells over time, each the darker the more of something there was.
 *
 * @param note below them; may be empty
 */
public record Strips(List<Strip> rows, String note) {
    /**
     * A row.
     *
     * @param parts of each stretch of time, from 0 to 1
     */
    public record Strip(String name, List<Double> parts) {
        public Strip {
            parts = List.copyOf(parts);
        }
    }

    /** Below, nothing is seen. */
    private static final double LEAST = 0.01;

    public Strips {
        rows = List.copyOf(rows);
    }

    String html() {
        StringBuilder html = new StringBuilder("<div class=\"strips\">");
        for (Strip row : rows) {
            double mean =
                    row.parts().stream().mapToDouble(part -> part).average().orElse(0);
            html.append("<div class=\"strip\"><span>")
                    .append(Html.escape(row.name()))
                    .append("</span><svg viewBox=\"0 0 ")
                    .append(row.parts().size())
                    .append(" 1\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
                    .append(Html.escape(row.name()))
                    .append(": ")
                    .append(Html.percent(mean))
                    .append(" on average\">");
            for (int i = 0; i < row.parts().size(); i++) {
                if (row.parts().get(i) >= LEAST) {
                    html.append("<rect x=\"")
                            .append(i)
                            .append("\" width=\"1.02\" height=\"1\" fill-opacity=\"")
                            .append(Html.number(row.parts().get(i)))
                            .append("\"/>");
                }
            }
            html.append("</svg></div>\n");
        }
        html.append("</div>");
        return note.isEmpty() ? html.toString() : html + "<p class=\"note\">" + Html.escape(note) + "</p>";
    }
}
