// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;

/** The colours by which the page tells policies apart, and their legend. */
final class Series {
    /** Policies beyond that share colours; curves differ in their dashes too. */
    static final int COLOURS = 8;

    private Series() {}

    static String legend(List<String> names) {
        StringBuilder html = new StringBuilder("<ul class=\"legend\">");
        for (int i = 0; i < names.size(); i++) {
            html.append("<li><svg viewBox=\"0 0 30 10\" aria-hidden=\"true\"><path class=\"s")
                    .append(i % COLOURS)
                    .append("\" d=\"M1 5H29\"/></svg>")
                    .append(Html.escape(names.get(i)))
                    .append("</li>");
        }
        return html.append("</ul>\n").toString();
    }
}
