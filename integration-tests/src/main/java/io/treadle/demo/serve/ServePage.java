// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.DemoPageStyle;
import io.treadle.demo.Html;
import java.util.List;
import java.util.Locale;

/** {@code serve.html}: how policies compare, as one page that needs nothing else. */
public final class ServePage {
    /** Okabe and Ito's colours, by policy; curves differ by their dashes too. */
    private static final String CSS =
            """
            :root{--p0:#0072b2;--p1:#d55e00;--p2:#009e73;--p3:#cc79a7}
            @media(prefers-color-scheme:dark){:root{--p0:#56b4e9;--p1:#e69f00;--p2:#2bc49a;--p3:#e39cc4}}
            .p0{stroke:var(--p0)}.p1{stroke:var(--p1);stroke-dasharray:7 3}.p2{stroke:var(--p2);stroke-dasharray:2 3}.p3{stroke:var(--p3);stroke-dasharray:9 3 2 3}
            .f0{fill:var(--p0)}.f1{fill:var(--p1)}.f2{fill:var(--p2)}.f3{fill:var(--p3)}
            .scroll th,.scroll td{white-space:nowrap}
            .keys{display:flex;flex-wrap:wrap;gap:1rem;color:var(--ink)}.keys svg{display:inline-block;width:2.4rem;height:.8rem;vertical-align:middle;margin-right:.4rem}
            """;

    private ServePage() {}

    public static String write(ServeResult result) {
        StringBuilder page = new StringBuilder();
        page.append(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Treadle serves</title><style>\n")
                .append(DemoPageStyle.CSS)
                .append(CSS)
                .append("</style></head><body>\n<h1>One load under each policy</h1>\n");
        summary(page, result);
        table(page, ServeTable.policies(result));
        page.append(
                "<p>Hits are the models that a worker had in memory when they were needed; others had to be loaded first.</p>\n");
        chart(
                page,
                result,
                "How long queries take",
                "The part of all queries that are answered within a time; the further to the left, the better.",
                ServeCharts.distribution(result));
        chart(
                page,
                result,
                "The slowest twentieth, by workflow",
                "Five in a hundred queries of a workflow take longer than its bar says.",
                ServeCharts.workflows(result));
        table(page, ServeTable.workflows(result));
        chart(
                page,
                result,
                "While the load went on",
                "Mean latency of queries by when they came. What rises all the time has more to do than it can.",
                ServeCharts.timeline(result));
        return page.append("</body></html>\n").toString();
    }

    private static void summary(StringBuilder page, ServeResult result) {
        PolicyRun ours = result.reference();
        for (PolicyRun run : result.runs()) {
            if (!run.equals(ours) && !Double.isNaN(result.ratio(run))) {
                page.append(String.format(
                        Locale.ROOT,
                        "<p class=\"big\">A query takes %.2f times as long on average under %s as under %s.</p>\n",
                        result.ratio(run),
                        Html.escape(run.policy()),
                        Html.escape(ours.policy())));
            }
        }
        long failed = result.runs().stream().mapToLong(PolicyRun::failed).sum();
        page.append(String.format(
                Locale.ROOT,
                "<p>The same %,d queries under each, %.1f a second on average, come at random (Poisson). %s%s</p>\n",
                ours.answers().size(),
                result.perSecond(),
                Html.escape(result.setting()),
                failed == 0
                        ? ""
                        : String.format(Locale.ROOT, " <span class=\"bad\">%,d queries failed.</span>", failed)));
    }

    private static void table(StringBuilder page, List<List<String>> rows) {
        page.append("<div class=\"scroll\"><table>\n");
        for (int i = 0; i < rows.size(); i++) {
            String cell = i == 0 ? "th" : "td";
            page.append("<tr>");
            rows.get(i).forEach(text -> page.append('<')
                    .append(cell)
                    .append('>')
                    .append(Html.escape(text))
                    .append("</")
                    .append(cell)
                    .append('>'));
            page.append("</tr>\n");
        }
        page.append("</table></div>\n");
    }

    private static void chart(StringBuilder page, ServeResult result, String title, String text, String svg) {
        page.append("<h2>").append(title).append("</h2><p>").append(text).append("</p>\n<p class=\"keys\">");
        for (int i = 0; i < result.runs().size(); i++) {
            page.append(String.format(
                    Locale.ROOT,
                    "<span><svg viewBox=\"0 0 36 12\" aria-hidden=\"true\"><polyline class=\"p%d\" points=\"0,6 36,6\"/></svg>%s</span>",
                    i,
                    Html.escape(result.runs().get(i).policy())));
        }
        page.append("</p><div class=\"scroll\">").append(svg).append("</div>\n");
    }
}
