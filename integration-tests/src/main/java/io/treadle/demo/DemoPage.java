// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.Locale;
import java.util.OptionalDouble;

/** {@code demo.html}: a demo's result as one page that needs nothing else. */
final class DemoPage {
    private static final String STYLE =
            """
            :root{color-scheme:light dark;--ink:#1b1f24;--soft:#5d6673;--line:#d5dae1;--back:#fff;--card:#f5f7f9}
            @media(prefers-color-scheme:dark){:root{--ink:#e7eaee;--soft:#9aa4b2;--line:#3a424d;--back:#15181c;--card:#1e2329}}
            body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:0 auto;max-width:60rem;padding:1rem}
            h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.1rem;margin:1.8rem 0 .4rem}p{margin:.3rem 0;color:var(--soft)}
            .big{font-size:1.15rem;color:var(--ink)}.scroll{overflow-x:auto}
            table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid var(--line);white-space:nowrap}
            th:first-child,td:first-child{text-align:left}tr.mean td{font-weight:600}
            svg{width:100%;height:auto;min-width:34rem;display:block}.cards svg{min-width:0}
            .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.8rem}
            .cards figure{margin:0;background:var(--card);border-radius:.4rem;padding:.5rem}figcaption{font-size:.85rem}
            .grid{stroke:var(--line)}.life{stroke:var(--soft)}.tick{fill:var(--soft);font-size:10px;text-anchor:middle}
            .lane{fill:var(--ink);font-size:12px}.held{fill:#000;font-size:10px}
            polyline{fill:none;stroke:#0072b2;stroke-width:2}circle{fill:#0072b2}
            .c0{fill:#56b4e9}.c1{fill:#e69f00}.c2{fill:#009e73}.c3{fill:#f0e442}.c4{fill:#cc79a7}.c5{fill:#d55e00}.c6{fill:#8da0cb}.c7{fill:#b3b3b3}
            """;

    private DemoPage() {}

    static String write(DemoResult result) {
        StringBuilder page = new StringBuilder();
        page.append(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Treadle demo</title><style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>Treadle demo</h1>\n");
        summary(page, result);
        comparison(page, result);
        timelines(page, result);
        profiles(page, result);
        resizes(page, result);
        nodes(page, result);
        return page.append("</body></html>\n").toString();
    }

    private static void summary(StringBuilder page, DemoResult result) {
        String first = result.policies().get(0);
        String last = result.policies().get(result.policies().size() - 1);
        if (!first.equals(last)) {
            page.append(String.format(
                    Locale.ROOT,
                    "<p class=\"big\">The same jobs end %.2f times as soon on average under %s as under %s.</p>\n",
                    result.ratio(),
                    Html.escape(first),
                    Html.escape(last)));
        }
        result.testAccuracy()
                .ifPresent(accuracy -> page.append(
                        String.format(Locale.ROOT, "<p class=\"big\">Test accuracy %.1f %%.</p>\n", accuracy * 100)));
        page.append(String.format(
                Locale.ROOT,
                "<p>Hadoop %s, %d nodes with simulated GPUs, seed %d; a vcore stands for %.3f of a core.</p>\n",
                Html.escape(result.hadoop()),
                result.nodes().size(),
                result.seed(),
                result.coresPerVcore()));
    }

    private static void comparison(StringBuilder page, DemoResult result) {
        boolean compared = result.policies().size() > 1;
        page.append("<h2>Completion times</h2><div class=\"scroll\"><table><tr><th>job</th>");
        result.policies()
                .forEach(policy ->
                        page.append("<th>").append(Html.escape(policy)).append("</th>"));
        page.append(
                compared
                        ? "<th>ratio</th></tr>\n<tr class=\"mean\"><td>mean</td>"
                        : "</tr>\n<tr class=\"mean\"><td>mean</td>");
        result.policies().forEach(policy -> page.append(seconds(OptionalDouble.of(result.meanJctSeconds(policy)))));
        page.append(compared ? String.format(Locale.ROOT, "<td>%.2f</td></tr>%n", result.ratio()) : "</tr>\n");
        String first = result.policies().get(0);
        String last = result.policies().get(result.policies().size() - 1);
        for (String name : ComparisonText.names(result)) {
            page.append("<tr><td>").append(Html.escape(name)).append("</td>");
            result.policies().forEach(policy -> page.append(seconds(result.jctSeconds(name, policy))));
            if (compared) {
                double ratio = result.jctSeconds(name, last).orElse(Double.NaN)
                        / result.jctSeconds(name, first).orElse(Double.NaN);
                page.append(String.format(Locale.ROOT, "<td>%.2f</td>", ratio));
            }
            page.append("</tr>\n");
        }
        page.append("</table></div>\n<p>")
                .append(Html.escape(ComparisonText.cpu(result).strip()))
                .append(".</p>\n");
    }

    private static String seconds(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "<td>%.1f s</td>", value.getAsDouble()) : "<td>–</td>";
    }

    private static void timelines(StringBuilder page, DemoResult result) {
        double end = result.jobs().stream()
                .mapToDouble(job -> job.arrivalSeconds() + job.jctSeconds())
                .max()
                .orElse(1);
        for (String policy : result.policies()) {
            page.append("<h2>GPUs and vcores under ")
                    .append(Html.escape(policy))
                    .append(
                            "</h2><p>A lane is a job from its arrival to its end; the band is as high as it has vcores.</p>"
                                    + "<div class=\"scroll\">")
                    .append(TimelineChart.of(result.jobsUnder(policy), end))
                    .append("</div>\n");
        }
    }

    private static void profiles(StringBuilder page, DemoResult result) {
        page.append("<h2>Measured speed over vcores</h2><div class=\"cards\">");
        for (DemoResult.Job job : result.jobsUnder(result.policies().get(0))) {
            if (job.profile().size() > 1) {
                page.append("<figure><figcaption>")
                        .append(Html.escape(job.name()))
                        .append("</figcaption>")
                        .append(ProfileChart.of(job))
                        .append("</figure>\n");
            }
        }
        page.append("</div>\n");
    }

    private static void resizes(StringBuilder page, DemoResult result) {
        page.append("<h2>Resizes in place</h2><div class=\"scroll\"><table><tr><th>job</th><th>at</th><th>vcores</th>"
                + "<th>by</th><th>samples/s</th></tr>\n");
        for (DemoResult.Job job : result.jobs()) {
            for (DemoResult.Resize resize : job.resizes()) {
                page.append(String.format(
                        Locale.ROOT,
                        "<tr><td>%s</td><td>%.1f s</td><td>%d → %d</td><td>%s</td><td>%s</td></tr>%n",
                        Html.escape(job.name()),
                        resize.atSeconds(),
                        resize.from(),
                        resize.to(),
                        Html.escape(resize.by()),
                        resize.before() > 0 && resize.after() > 0
                                ? String.format(Locale.ROOT, "%.0f → %.0f", resize.before(), resize.after())
                                : "–"));
            }
        }
        page.append("</table></div>\n");
    }

    private static void nodes(StringBuilder page, DemoResult result) {
        page.append(
                "<h2>Nodes</h2><div class=\"scroll\"><table><tr><th>node</th><th>capacity</th><th>devices</th></tr>\n");
        for (DemoResult.Node node : result.nodes()) {
            page.append("<tr><td>").append(Html.escape(node.name())).append("</td><td>");
            String separator = "";
            for (var entry : node.capacity().entrySet()) {
                page.append(separator)
                        .append(Html.escape(entry.getKey()))
                        .append(' ')
                        .append(entry.getValue());
                separator = ", ";
            }
            page.append("</td><td>").append(node.devices().size());
            node.devices().stream().map(DemoResult.Device::model).distinct().forEach(model -> page.append(' ')
                    .append(Html.escape(model)));
            page.append("</td></tr>\n");
        }
        page.append("</table></div>\n");
    }
}
