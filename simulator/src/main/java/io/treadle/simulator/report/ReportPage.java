// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SummaryTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** {@code report.html}: one page that needs nothing else, not even the network; curves and tables without scripts. */
final class ReportPage {
    /** More queues than that make bars that nobody compares. */
    private static final int MOST_QUEUES = 16;

    private static final List<String> SCRIPTS =
            List.of("words.js", "data.js", "replay.js", "grid.js", "story.js", "plots.js", "page.js");

    private final ReportSubject subject;
    private final JobColumns jobs;
    private final String packedJobs;
    private final List<PolicyFigures> policies;
    private final List<String> names;
    private final StringBuilder page = new StringBuilder();

    ReportPage(ReportSubject subject, JobColumns jobs, String packedJobs, List<PolicyFigures> policies) {
        this.subject = subject;
        this.jobs = jobs;
        this.packedJobs = packedJobs;
        this.policies = policies;
        names = policies.stream().map(policy -> policy.summary().policy()).toList();
    }

    String html() {
        page.append("<h1>Treadle simulation</h1>\n");
        opening();
        page.append(PolicyTable.html(policies));
        page.append(
                "<p class=\"note\">JCT, job completion time: from submission to end. Wait: all time in which a job did"
                        + " not run. Fragmentation: share of the free GPU time on nodes on which something ran.</p>\n");
        completion();
        queues();
        overTime();
        grid();
        slowdowns();
        details();
        return PageShell.html(
                "Treadle simulation: " + subject.trace(),
                page.toString(),
                PageData.html(subject, jobs, packedJobs, policies),
                SCRIPTS);
    }

    private void opening() {
        long gpus = subject.cluster().capacity().gpus();
        int partitions = subject.cluster().partitions().size();
        page.append("<p class=\"big\">");
        best().ifPresent(text -> page.append(Html.escape(text)).append(' '));
        page.append("</p>\n<p>Replayed: ")
                .append(Html.count(subject.jobs().size()))
                .append(" jobs of ")
                .append(Html.escape(subject.trace()))
                .append(" on ")
                .append(Html.escape(subject.cluster().name()))
                .append(", ")
                .append(Html.count(subject.cluster().nodes()))
                .append(" nodes with ")
                .append(Html.count(gpus))
                .append(" GPUs")
                .append(partitions == 1 ? "" : " in " + partitions + " partitions")
                .append('.')
                .append(offered(gpus))
                .append(subject.settings().isEmpty() ? "" : " Settings: " + Html.escape(subject.settings()) + ".");
        long counted = policies.get(0).summary().jobs();
        page.append(
                counted == subject.jobs().size()
                        ? ""
                        : " Figures are of the " + Html.count(counted) + " jobs that were to be measured.");
        page.append("</p>\n");
    }

    /** What the trace asks for against what there is. */
    private String offered(long gpus) {
        long span = subject.jobs().get(subject.jobs().size() - 1).submitMs()
                - subject.jobs().get(0).submitMs();
        double asked = subject.jobs().stream()
                .mapToDouble(job -> job.gpus() * job.work().seconds())
                .sum();
        return span <= 0 || asked <= 0 || gpus == 0
                ? ""
                : " They ask for " + Html.percent(asked / (gpus * (span / 1000.0)))
                        + " of the GPU time between the first submission and the last.";
    }

    private java.util.Optional<String> best() {
        List<PolicyFigures> known = policies.stream()
                .filter(policy -> policy.summary().avgJctSeconds() != null)
                .sorted(Comparator.comparingDouble(ReportPage::meanJct))
                .toList();
        if (known.size() < 2 || meanJct(known.get(0)) == meanJct(known.get(known.size() - 1))) {
            return java.util.Optional.empty();
        }
        PolicyFigures first = known.get(0);
        PolicyFigures last = known.get(known.size() - 1);
        return java.util.Optional.of(String.format(
                Locale.ROOT,
                "Jobs are done soonest under %s: after %s on average, %.2f times as soon as under %s (%s).",
                first.summary().policy(),
                SummaryTable.time(meanJct(first)),
                meanJct(last) / meanJct(first),
                last.summary().policy(),
                SummaryTable.time(meanJct(last))));
    }

    private static double meanJct(PolicyFigures policy) {
        Double mean = policy.summary().avgJctSeconds();
        return mean == null ? Double.NaN : mean;
    }

    private void completion() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (PolicyFigures policy : policies) {
            double[] jct = policy.jctSeconds();
            if (jct.length > 0) {
                least = Math.min(least, jct[0]);
                most = Math.max(most, jct[jct.length - 1]);
            }
        }
        if (most <= 0) {
            return;
        }
        LinePlot plot = new LinePlot(
                "Share of jobs done within a time, one curve for each policy",
                // Below a second nobody tells jobs apart.
                Axis.logTime(Math.max(1, least), most),
                Axis.share());
        for (int i = 0; i < policies.size(); i++) {
            double[] jct = policies.get(i).jctSeconds();
            double[] shares = new double[jct.length];
            for (int j = 0; j < jct.length; j++) {
                shares[j] = (j + 1.0) / jct.length;
            }
            plot.curve(i, jct, shares);
        }
        page.append("<section id=\"completion\"><h2>Jobs done within a time</h2>")
                .append(Series.legend(names))
                .append(plot.html("tall"))
                .append(
                        "<p class=\"note\">Completion time, from submission to end, on a logarithmic scale.</p></section>\n");
    }

    private void queues() {
        // All policies replay the same jobs: their groups differ in waits only.
        List<Groups.Group> queues = policies.get(0).queues().stream()
                .sorted(Comparator.comparingDouble(Groups.Group::gpuSeconds)
                        .reversed()
                        .thenComparing(Groups.Group::name))
                .toList();
        if (queues.size() < 2) {
            return;
        }
        page.append("<section id=\"queues\"><h2>Mean wait by queue</h2>").append(Series.legend(names));
        bars(
                queues.stream().limit(MOST_QUEUES).toList(),
                PolicyFigures::queues,
                group -> group.waitSeconds().mean(),
                SummaryTable::time);
        page.append("<p class=\"note\">Queues by the GPU time that their jobs ask for");
        if (queues.size() > MOST_QUEUES) {
            page.append("; ").append(queues.size() - MOST_QUEUES).append(" that ask for less are left out here");
        }
        page.append(".</p></section>\n");
    }

    private void bars(
            List<Groups.Group> rows,
            Function<PolicyFigures, List<Groups.Group>> groups,
            Function<Groups.Group, OptionalDouble> value,
            java.util.function.DoubleFunction<String> text) {
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
        page.append(plot.html());
    }

    private static java.util.Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? java.util.Optional.of(value.getAsDouble()) : java.util.Optional.empty();
    }

    private void overTime() {
        double gpus = subject.cluster().capacity().gpus();
        Map<String, Function<PolicyFigures, double[]>> plots = new LinkedHashMap<>();
        plots.put("GPUs in use, share of all", policy -> scaled(policy.series().usedGpus(), gpus));
        plots.put("Jobs waiting", policy -> policy.series().pending());
        plots.put("Jobs running", policy -> policy.series().running());
        plots.put("GPUs in use on a node in use", policy -> policy.series().usedGpusPerUsedNode());
        double end = policies.stream()
                .mapToDouble(p -> p.series().stretches() * p.series().stretchSeconds())
                .max()
                .orElse(1);
        page.append("<section id=\"time\"><h2>Over time</h2>").append(Series.legend(names));
        page.append("<div class=\"four\">");
        plots.forEach((title, of) -> {
            double most = policies.stream()
                    .flatMapToDouble(policy -> java.util.Arrays.stream(of.apply(policy)))
                    .max()
                    .orElse(1);
            Axis y = title.endsWith("share of all") ? Axis.share() : Axis.number(most);
            LinePlot plot = new LinePlot(title + " over time, one curve for each policy", Axis.time(end), y);
            for (int i = 0; i < policies.size(); i++) {
                plot.curve(i, policies.get(i).series().seconds(), of.apply(policies.get(i)));
            }
            page.append("<figure><figcaption>")
                    .append(Html.escape(title))
                    .append("</figcaption>")
                    .append(plot.html("low"))
                    .append("</figure>");
        });
        page.append("</div><p class=\"note\">Time since the first submission. Each point is the mean over a stretch: ")
                .append(Html.escape(stretches()))
                .append(".</p></section>\n");
    }

    private String stretches() {
        List<String> lengths = policies.stream()
                .map(policy -> SummaryTable.time(policy.series().stretchSeconds()))
                .distinct()
                .toList();
        return lengths.size() == 1
                ? lengths.get(0)
                : policies.stream()
                        .map(policy -> SummaryTable.time(policy.series().stretchSeconds()) + " under "
                                + policy.summary().policy())
                        .collect(Collectors.joining(", "));
    }

    private static double[] scaled(double[] values, double whole) {
        return java.util.Arrays.stream(values)
                .map(value -> whole == 0 ? 0 : value / whole)
                .toArray();
    }

    private void grid() {
        page.append("<section id=\"cluster\"><h2>The cluster at a moment</h2>");
        page.append("<noscript><p>The grid of GPUs and the stories of jobs need JavaScript.</p></noscript>");
        page.append("<div id=\"player\" hidden><div class=\"controls\"><label>Policy <select id=\"policy\">");
        for (int i = 0; i < names.size(); i++) {
            page.append("<option value=\"")
                    .append(i)
                    .append("\">")
                    .append(Html.escape(names.get(i)))
                    .append("</option>");
        }
        page.append("</select></label><button type=\"button\" id=\"play\">Play</button>")
                .append("<label>Speed <select id=\"speed\"><option value=\"120\">slow</option>")
                .append(
                        "<option value=\"40\" selected>medium</option><option value=\"12\">fast</option></select></label>")
                .append("<button type=\"button\" id=\"back\" aria-label=\"To the change before\">‹ change</button>")
                .append("<button type=\"button\" id=\"on\" aria-label=\"To the next change\">change ›</button></div>")
                .append("<label class=\"slider\"><span class=\"hidden\">Time</span>")
                .append("<input type=\"range\" id=\"moment\" min=\"0\" max=\"2000\" value=\"0\"></label>")
                .append("<p id=\"status\" role=\"status\"></p>")
                .append("<div id=\"stage\"><canvas id=\"grid\" tabindex=\"0\" role=\"application\" aria-label=\"")
                .append(
                        "Grid of nodes and GPUs. Arrow keys move from GPU to GPU, Enter shows the job there.\"></canvas></div>")
                .append("<p class=\"note\" id=\"hint\"></p>")
                .append(
                        "<form id=\"find\"><label>Job <input id=\"job\" autocomplete=\"off\" spellcheck=\"false\"></label>")
                .append("<button>Show its story</button></form>")
                .append("<div id=\"story\" aria-live=\"polite\"></div></div>");
        thinned();
        page.append("</section>\n");
    }

    private void thinned() {
        List<String> lines = new ArrayList<>();
        if (jobs.kept() < subject.jobs().size()) {
            lines.add("the grid and the stories hold the " + Html.count(jobs.kept()) + " jobs of most GPU time, of "
                    + Html.count(subject.jobs().size()));
        }
        for (PolicyFigures policy : policies) {
            RunColumns runs = policy.runs();
            if (runs.dropped() > 0) {
                lines.add("under " + policy.summary().policy() + " "
                        + Html.count(runs.dropped()) + " stretches of running of less than "
                        + SummaryTable.time(runs.leastSeconds()) + " are not in them, "
                        + Html.count(runs.kept()) + " are");
            }
        }
        if (!lines.isEmpty()) {
            page.append("<p class=\"note\" id=\"thinned\">Thinned out to keep this page small: ")
                    .append(Html.escape(String.join("; ", lines)))
                    .append(". The event logs hold all.</p>");
        }
    }

    private void slowdowns() {
        if (policies.stream().allMatch(policy -> policy.jctSeconds().length == 0)) {
            return;
        }
        page.append("<section id=\"slowdown\"><h2>Mean slowdown</h2>").append(Series.legend(names));
        page.append("<div class=\"two\"><div id=\"by-size\"><h3>by GPUs</h3>");
        bars(
                policies.get(0).sizes(),
                PolicyFigures::sizes,
                group -> group.slowdown().mean(),
                ReportPage::times);
        page.append("</div><div id=\"by-length\"><h3>by run time</h3>");
        bars(
                policies.get(0).lengths(),
                PolicyFigures::lengths,
                group -> group.slowdown().mean(),
                ReportPage::times);
        page.append(
                "</div></div><p class=\"note\">Completion time over run time on its share of the cluster, at least 1;"
                        + " run times below 10 s count as 10 s, so that the shortest jobs do not outweigh all others.</p></section>\n");
    }

    private static String times(double value) {
        return Html.figure(value) + "×";
    }

    private void details() {
        page.append("<section id=\"details\"><h2>Details</h2>");
        table("Queues", PolicyFigures::queues);
        table("Sizes, GPUs of a job", PolicyFigures::sizes);
        table("Run times", PolicyFigures::lengths);
        page.append("<details><summary>How this page thins out</summary><p>A completion time curve has at most ")
                .append(PolicyFigures.CURVE_POINTS)
                .append(" points at equal shares of jobs, a curve over time ")
                .append(PolicyFigures.STRETCHES)
                .append(
                        " exact means over stretches of equal length. The tables here and summary.json are of all jobs."
                                + " The files beside this page hold everything: jobs-&lt;policy&gt;.csv, events-&lt;policy&gt;.jsonl,"
                                + " groups-&lt;policy&gt;.csv, and trace-&lt;policy&gt;.json for ui.perfetto.dev.</p></details></section>\n");
    }

    private void table(String title, Function<PolicyFigures, List<Groups.Group>> groups) {
        if (groups.apply(policies.get(0)).isEmpty()) {
            return;
        }
        page.append("<details><summary>")
                .append(Html.escape(title))
                .append("</summary><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .append(Html.escape(title))
                .append(
                        "\"><table><thead><tr><th scope=\"col\">group</th><th scope=\"col\" class=\"left\">policy</th>");
        for (String head : List.of(
                "jobs", "mean JCT", "p50", "p95", "mean wait", "p50", "p95", "mean slow\u00addown", "stops", "moves")) {
            page.append("<th scope=\"col\">").append(head).append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
        List<String> order =
                groups.apply(policies.get(0)).stream().map(Groups.Group::name).toList();
        for (String name : order) {
            for (PolicyFigures policy : policies) {
                groups.apply(policy).stream()
                        .filter(group -> group.name().equals(name))
                        .forEach(group -> row(policy, group));
            }
        }
        page.append("</tbody></table></div></details>\n");
    }

    private void row(PolicyFigures policy, Groups.Group group) {
        page.append("<tr><th scope=\"row\">").append(Html.escape(group.name()));
        page.append("</th><td class=\"left\">")
                .append(Html.escape(policy.summary().policy()));
        page.append("</td><td>").append(Html.count(group.jobs())).append("</td>");
        ToDoubleFunction<OptionalDouble> none = value -> value.orElse(Double.NaN);
        for (Groups.Statistic statistic : List.of(group.jctSeconds(), group.waitSeconds())) {
            time(none.applyAsDouble(statistic.mean()));
            time(none.applyAsDouble(statistic.quantiles().at(0.5)));
            time(none.applyAsDouble(statistic.quantiles().at(0.95)));
        }
        double slowdown = none.applyAsDouble(group.slowdown().mean());
        page.append("<td>")
                .append(Double.isNaN(slowdown) ? "–" : times(slowdown))
                .append("</td><td>");
        page.append(Html.count(group.stops())).append("</td><td>").append(Html.count(group.moves()));
        page.append("</td></tr>\n");
    }

    private void time(double seconds) {
        page.append("<td>")
                .append(SummaryTable.time(Double.isNaN(seconds) ? null : seconds))
                .append("</td>");
    }
}
