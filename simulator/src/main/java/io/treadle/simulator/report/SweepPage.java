// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.simulator.result.SeedMean;
import io.treadle.simulator.result.SweepCell;
import io.treadle.simulator.result.SweepFigure;
import io.treadle.simulator.result.SweepRow;
import io.treadle.simulator.result.SweepTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The page of a sweep: how policies compare as load and size grow; curves and tables without scripts. */
final class SweepPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> SCRIPTS = List.of("words.js", "plots.js", "sweep.js");

    private final SweepSubject subject;
    private final List<SweepRow> rows;
    private final List<SweepCell> cells;
    private final List<String> policies;
    private final StringBuilder page = new StringBuilder();

    /** @param rows at least one */
    SweepPage(SweepSubject subject, List<SweepRow> rows) {
        this.subject = subject;
        this.rows = rows;
        cells = SweepCell.of(rows);
        policies = cells.stream().map(SweepCell::policy).distinct().toList();
    }

    String html() {
        page.append("<h1>Treadle sweep</h1>\n");
        opening();
        curves("load", "load", "load factor", SweepPage::load, cell -> size(cell.nodes()));
        curves("size", "the number of nodes", "nodes", SweepCell::nodes, cell -> "load " + SweepTable.load(cell));
        table();
        return PageShell.html("Treadle sweep: " + subject.jobs(), page.toString(), data(), SCRIPTS);
    }

    private static double load(SweepCell cell) {
        Double load = cell.load();
        return load == null ? Double.NaN : load;
    }

    private static String size(int nodes) {
        return Html.count(nodes) + (nodes == 1 ? " node" : " nodes");
    }

    private void opening() {
        page.append("<p class=\"big\">");
        best().ifPresent(text -> page.append(Html.escape(text)));
        page.append("</p>\n<p>Replayed: ")
                .append(Html.escape(subject.jobs()))
                .append(" on ")
                .append(Html.escape(subject.cluster()))
                .append(", ")
                .append(distinct(rows, SweepRow::nodes).stream()
                        .map(Html::count)
                        .collect(Collectors.joining(", ")))
                .append(" nodes");
        String loads = cells.stream()
                .filter(cell -> cell.load() != null)
                .map(SweepTable::load)
                .distinct()
                .collect(Collectors.joining(", "));
        page.append(loads.isEmpty() ? "" : "; load " + loads);
        int seeds = seeds();
        page.append(seeds > 1 ? "; " + seeds + " seeds" : "")
                .append('.')
                .append(subject.settings().isEmpty() ? "" : " Settings: " + Html.escape(subject.settings()) + ".")
                .append("</p>\n");
    }

    private int seeds() {
        return cells.stream().mapToInt(cell -> cell.seeds().size()).max().orElse(1);
    }

    private static <T> List<T> distinct(List<SweepRow> rows, Function<SweepRow, T> of) {
        return rows.stream().map(of).distinct().toList();
    }

    /** Cells of one load and size by these, in their order. */
    private Map<List<Object>, List<SweepCell>> places() {
        Map<List<Object>, List<SweepCell>> places = new LinkedHashMap<>();
        cells.forEach(
                cell -> places.computeIfAbsent(List.of(cell.nodes(), SweepTable.load(cell)), key -> new ArrayList<>())
                        .add(cell));
        return places;
    }

    /** Which policy has jobs done soonest at most loads and sizes. */
    private Optional<String> best() {
        SweepFigure figure = SweepFigure.ALL.get(0);
        Map<String, Integer> wins = new LinkedHashMap<>();
        int known = 0;
        for (List<SweepCell> place : places().values()) {
            List<SweepCell> order = place.stream()
                    .filter(cell -> figure.over(cell).isPresent())
                    .sorted(Comparator.comparingDouble(cell -> mean(figure, cell)))
                    .toList();
            if (order.size() > 1 && mean(figure, order.get(0)) < mean(figure, order.get(order.size() - 1))) {
                known++;
                wins.merge(order.get(0).policy(), 1, Integer::sum);
            }
        }
        int all = known;
        return wins.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> "Jobs are done soonest under " + most.getKey()
                        + (all == 1
                                ? "."
                                : most.getValue() == all
                                        ? " at all " + all + " loads and sizes."
                                        : " at " + most.getValue() + " of " + all + " loads and sizes."));
    }

    private static double mean(SweepFigure figure, SweepCell cell) {
        return figure.over(cell).map(SeedMean::mean).orElse(Double.NaN);
    }

    /** Plots over what was swept, for each value of the rest; nothing where it has one value only. */
    private void curves(
            String id, String over, String unit, ToDoubleFunction<SweepCell> at, Function<SweepCell, String> rest) {
        if (cells.stream().mapToDouble(at).distinct().count() < 2) {
            return;
        }
        Map<String, List<SweepCell>> others = new LinkedHashMap<>();
        cells.forEach(cell -> others.computeIfAbsent(rest.apply(cell), key -> new ArrayList<>())
                .add(cell));
        page.append("<section id=\"")
                .append(id)
                .append("\"><h2>Over ")
                .append(over)
                .append("</h2>");
        page.append(Series.legend(policies));
        others.forEach((name, some) -> {
            String plots = new SweepCurves(policies, over, at, some).html();
            page.append(
                    others.size() == 1
                            ? plots
                            : "<details"
                                    + (some.equals(others.values().iterator().next()) ? " open" : "") + "><summary>"
                                    + Html.escape(name) + "</summary>" + plots + "</details>");
        });
        page.append("<p class=\"note\">Across: ").append(unit).append('.');
        page.append(
                seeds() > 1
                        ? " Curves are means over " + seeds()
                                + " seeds; bands and bars hold 95 % confidence intervals by Student's t."
                        : "");
        page.append(" Times that differ much are on a logarithmic scale.</p></section>\n");
    }

    private void table() {
        page.append("<section id=\"table\"><h2>All figures</h2><div class=\"scroll\" role=\"region\" tabindex=\"0\""
                + " aria-label=\"Table of all figures\"><table><thead><tr><th scope=\"col\">policy</th>"
                + "<th scope=\"col\">nodes</th><th scope=\"col\">load</th>");
        SweepFigure.ALL.forEach(figure -> page.append("<th scope=\"col\">")
                .append(Html.escape(figure.name()))
                .append("</th>")
                .append(isMain(figure) && seeds() > 1 ? "<th scope=\"col\">±</th>" : ""));
        page.append(subject.pages() ? "<th scope=\"col\">report</th>" : "").append("</tr></thead><tbody>\n");
        places().values().forEach(place -> place.forEach(cell -> row(cell, place)));
        page.append(
                "</tbody></table></div><p class=\"note\">JCT, job completion time: from submission to end. Wait: all"
                        + " time in which a job did not run. GPU use: share of all GPU time that was handed out. In bold the"
                        + " best of each load and size.");
        page.append(seeds() > 1 ? " Means over seeds; ±: half of the 95 % confidence interval of the mean JCT." : "");
        page.append("</p></section>\n");
    }

    private static boolean isMain(SweepFigure figure) {
        return figure.equals(SweepFigure.ALL.get(0));
    }

    private void row(SweepCell cell, List<SweepCell> place) {
        page.append(cell.equals(place.get(0)) ? "<tr class=\"first\">" : "<tr>")
                .append("<th scope=\"row\">")
                .append(Html.escape(cell.policy()))
                .append("</th><td>")
                .append(Html.count(cell.nodes()))
                .append("</td><td>")
                .append(SweepTable.load(cell))
                .append("</td>");
        for (SweepFigure figure : SweepFigure.ALL) {
            String text = shown(figure, cell);
            page.append("<td>")
                    .append(isBest(figure, cell, place) ? "<b>" + text + "</b>" : text)
                    .append("</td>");
            if (isMain(figure) && seeds() > 1) {
                page.append("<td>")
                        .append(figure.over(cell)
                                .filter(mean -> cell.seeds().size() > 1)
                                .map(mean -> figure.text(mean.halfWidth()))
                                .orElse("–"))
                        .append("</td>");
            }
        }
        if (subject.pages()) {
            page.append("<td>").append(links(cell)).append("</td>");
        }
        page.append("</tr>\n");
    }

    private static String links(SweepCell cell) {
        return cell.seeds().stream()
                .map(row -> "<a href=\"points/" + Html.escape(row.point()) + "/report.html\">"
                        + (row.seed() == null ? "page" : "seed " + row.seed()) + "</a>")
                .collect(Collectors.joining(", "));
    }

    private static String shown(SweepFigure figure, SweepCell cell) {
        return figure.over(cell)
                .map(mean -> Html.escape(figure.text(mean.mean())))
                .orElse("–");
    }

    /** By what people see; where all look the same, or there is but one, none is best. */
    private static boolean isBest(SweepFigure figure, SweepCell cell, List<SweepCell> place) {
        Comparator<SweepCell> byMean = Comparator.comparingDouble(each -> mean(figure, each));
        List<SweepCell> order = place.stream()
                .filter(each -> figure.over(each).isPresent())
                .sorted(figure.moreIsBetter() ? byMean.reversed() : byMean)
                .toList();
        if (order.isEmpty()) {
            return false;
        }
        String best = shown(figure, order.get(0));
        return shown(figure, cell).equals(best)
                && !shown(figure, order.get(order.size() - 1)).equals(best);
    }

    private String data() {
        ObjectNode settings = JSON.createObjectNode();
        ArrayNode names = settings.putArray("policies");
        policies.forEach(policy -> names.addObject().put("name", policy));
        return PageData.element("data", "application/json", PageData.safe(settings));
    }
}
