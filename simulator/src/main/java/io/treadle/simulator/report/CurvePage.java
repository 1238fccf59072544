// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A page of a few tables and curves, in the style of the report: readable without scripts, which tell points' values. */
public final class CurvePage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> SCRIPTS = List.of("words.js", "plots.js", "sweep.js");

    private final String title;
    private final List<String> names;
    private final StringBuilder page = new StringBuilder();

    /** @param names of all curves, whichever plot they are in */
    public CurvePage(String title, List<String> names) {
        this.title = title;
        this.names = List.copyOf(names);
        page.append("<h1>").append(Html.escape(title)).append("</h1>\n");
    }

    /** What matters most, in a sentence. */
    public CurvePage opening(String text) {
        page.append("<p class=\"big\">").append(Html.escape(text)).append("</p>\n");
        return this;
    }

    public CurvePage text(String text) {
        page.append("<p>").append(Html.escape(text)).append("</p>\n");
        return this;
    }

    /**
     * @param rows the first is the head; all are of one length
     * @param chosen the row that is in bold, its place after the head; negative for none
     */
    public CurvePage table(String id, String heading, List<List<String>> rows, int chosen) {
        page.append("<section id=\"").append(id).append("\"><h2>").append(Html.escape(heading));
        page.append("</h2><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .append(Html.escape(heading))
                .append("\"><table><thead><tr>");
        rows.get(0).forEach(cell -> page.append("<th scope=\"col\">")
                .append(Html.escape(cell))
                .append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (int row = 1; row < rows.size(); row++) {
            row(rows.get(row), row - 1 == chosen);
        }
        page.append("</tbody></table></div></section>\n");
        return this;
    }

    private void row(List<String> cells, boolean isChosen) {
        page.append(isChosen ? "<tr class=\"chosen\">" : "<tr>");
        for (int i = 0; i < cells.size(); i++) {
            String text = isChosen ? "<b>" + Html.escape(cells.get(i)) + "</b>" : Html.escape(cells.get(i));
            page.append(i == 0 ? "<th scope=\"row\">" + text + "</th>" : "<td>" + text + "</td>");
        }
        page.append("</tr>\n");
    }

    public CurvePage plots(String id, String heading, List<Curves> plots) {
        page.append("<section id=\"").append(id).append("\"><h2>").append(Html.escape(heading));
        page.append("</h2>").append(Series.legend(names)).append("<div class=\"four\">");
        plots.forEach(plot -> page.append(plot.html()));
        page.append("</div></section>\n");
        return this;
    }

    public CurvePage strips(String id, String heading, Strips strips) {
        page.append("<section id=\"").append(id).append("\"><h2>").append(Html.escape(heading));
        page.append("</h2>").append(strips.html()).append("</section>\n");
        return this;
    }

    public String html() {
        ObjectNode settings = JSON.createObjectNode();
        ArrayNode policies = settings.putArray("policies");
        names.forEach(name -> policies.addObject().put("name", name));
        return PageShell.html(
                title, page.toString(), PageData.element("data", "application/json", PageData.safe(settings)), SCRIPTS);
    }
}
