// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Locale;

/** The job's page: self-contained, without scripts, with relative links only, so that it works behind any proxy. */
final class StatusPage {
    private static final int MAX_RESIZES = 60;

    private static final String STYLE =
            """
            :root{color-scheme:light dark;--line:#8884;--accent:#0072b2}
            body{font:14px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:64rem;padding:0 1rem}
            h1{font-size:1.3rem;margin:0}h2{font-size:1rem;margin:1.6rem 0 .4rem}
            .sub{opacity:.75;margin:.1rem 0 1rem}
            .figures{display:flex;flex-wrap:wrap;gap:2rem}.figures b{display:block;font-size:1.5rem;font-weight:600}
            .bar{height:.6rem;border:1px solid var(--line);border-radius:.3rem;margin:1rem 0}
            .bar i{display:block;height:100%;background:var(--accent);border-radius:.3rem}
            table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line)}
            td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
            """;

    private StatusPage() {}

    static String render(JobStatus job) {
        StringBuilder page = new StringBuilder(8192);
        page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
                        + "content=\"5\"><meta name=\"viewport\" content=\"width=device-width\"><title>")
                .append(escape(job.name()))
                .append(" · Treadle</title><style>")
                .append(STYLE)
                .append("</style></head><body><h1>")
                .append(escape(job.name()))
                .append("</h1><p class=\"sub\">")
                .append(escape(job.applicationId()))
                .append(" · ")
                .append(escape(job.user()))
                .append(" · <a href=\"status.json\">status.json</a></p>");
        figures(page, job);
        page.append("<h2>Throughput over vcores</h2>").append(ThroughputChart.svg(job.profile(), vcoresNow(job)));
        page.append("<p class=\"sub\">")
                .append(
                        job.phase() == ProfileRecord.Phase.PROFILING
                                ? "Being measured: the job tries fewer and more vcores while it trains."
                                : "Measured; the scheduler sizes the job by this.")
                .append("</p>");
        workers(page, job.workers());
        resizes(page, job.resizes());
        return page.append("</body></html>").toString();
    }

    private static void figures(StringBuilder page, JobStatus job) {
        page.append("<div class=\"figures\">");
        figure(page, job.state(), "state");
        figure(page, number(job.samplesPerSecond()), "samples/s");
        String of = job.totalSamples() > 0 ? " of " + String.format(Locale.ROOT, "%,d", job.totalSamples()) : "";
        figure(page, String.format(Locale.ROOT, "%,d", job.samples()), "samples" + of);
        figure(page, Long.toString(vcoresNow(job)), "vcores a worker");
        figure(page, Integer.toString(job.restarts()), "restarts");
        page.append("</div>");
        if (job.totalSamples() > 0) {
            double percent = Math.min(100.0, 100.0 * job.samples() / job.totalSamples());
            page.append(String.format(
                    Locale.ROOT,
                    "<div class=\"bar\" role=\"progressbar\" aria-valuenow=\"%.0f\"><i style=\"width:%.1f%%\"></i></div>",
                    percent,
                    percent));
        }
        page.append("<p>").append(escape(job.note())).append("</p>");
    }

    private static void figure(StringBuilder page, String value, String name) {
        page.append("<div><b>")
                .append(escape(value))
                .append("</b>")
                .append(escape(name))
                .append("</div>");
    }

    private static long vcoresNow(JobStatus job) {
        return job.workers().stream().mapToLong(JobStatus.Worker::vcores).min().orElse(0);
    }

    private static void workers(StringBuilder page, List<JobStatus.Worker> workers) {
        page.append("<h2>Workers</h2><table><tr><th>rank</th><th>group</th><th>host</th><th>GPUs</th>"
                + "<th class=\"n\">vcores</th><th class=\"n\">MiB</th><th class=\"n\">samples/s</th>"
                + "<th class=\"n\">CPU s</th><th>logs</th></tr>");
        for (JobStatus.Worker worker : workers) {
            page.append("<tr><td>")
                    .append(worker.rank())
                    .append("</td><td>")
                    .append(escape(worker.group()))
                    .append("</td><td>")
                    .append(escape(worker.host()))
                    .append("</td><td>")
                    .append(escape(String.join(" ", worker.devices())))
                    .append("</td><td class=\"n\">")
                    .append(worker.vcores())
                    .append("</td><td class=\"n\">")
                    .append(worker.memoryMiB())
                    .append("</td><td class=\"n\">")
                    .append(number(worker.samplesPerSecond()))
                    .append("</td><td class=\"n\">")
                    .append(number(worker.cpuSeconds()))
                    .append("</td><td><a href=\"")
                    .append(escape(worker.logs()))
                    .append("\">logs</a></td></tr>");
        }
        page.append("</table>");
    }

    private static void resizes(StringBuilder page, List<ObjectNode> resizes) {
        page.append("<h2>Resizes</h2>");
        if (resizes.isEmpty()) {
            page.append("<p>None yet.</p>");
            return;
        }
        page.append("<table><tr><th class=\"n\">after s</th><th>container</th><th class=\"n\">vcores</th><th>by</th>"
                + "<th class=\"n\">samples/s before</th><th class=\"n\">after</th></tr>");
        for (int i = resizes.size() - 1; i >= Math.max(0, resizes.size() - MAX_RESIZES); i--) {
            ObjectNode resize = resizes.get(i);
            page.append("<tr><td class=\"n\">")
                    .append(number(resize.path("atSeconds").asDouble()))
                    .append("</td><td>")
                    .append(escape(resize.path("containerId").asText()))
                    .append("</td><td class=\"n\">")
                    .append(resize.path("from").asLong())
                    .append(" → ")
                    .append(resize.path("to").asLong())
                    .append("</td><td>")
                    .append(escape(resize.path("by").asText()))
                    .append("</td><td class=\"n\">")
                    .append(speed(resize, "samplesPerSecondBefore"))
                    .append("</td><td class=\"n\">")
                    .append(speed(resize, "samplesPerSecondAfter"))
                    .append("</td></tr>");
        }
        page.append("</table>");
    }

    private static String speed(ObjectNode resize, String field) {
        return resize.hasNonNull(field) ? number(resize.path(field).asDouble()) : "–";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.1f", value);
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
