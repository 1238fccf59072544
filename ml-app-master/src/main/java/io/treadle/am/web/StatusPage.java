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
            :root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d0d7de;--back:#fff;--card:#f3f5f7;--accent:#0072b2;--link:#0550ae;--mark:#b54708}
            @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b3;--line:#3d444d;--back:#15181c;--card:#22272e;--accent:#56b4e9;--link:#79b8ff;--mark:#f0883e}}
            body{font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:1.5rem auto;max-width:64rem;padding:0 1rem}
            a{color:var(--link)}h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
            .sub{color:var(--soft);margin:.1rem 0 1rem}.note{border-left:3px solid var(--accent);background:var(--card);padding:.2rem .7rem}
            .figures{display:flex;flex-wrap:wrap;gap:.7rem}.figures div{background:var(--card);border-radius:.4rem;padding:.5rem .9rem;color:var(--soft)}
            .figures b{display:block;font-size:1.45rem;font-weight:600;color:var(--ink)}
            .bar{height:.6rem;border:1px solid var(--line);border-radius:.3rem;margin:1rem 0;overflow:hidden}.bar i{display:block;height:100%;background:var(--accent)}
            .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th{color:var(--soft);font-weight:600;vertical-align:bottom;white-space:nowrap}td,th{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line)}
            td{white-space:nowrap}td.n,th.n{text-align:right}svg{display:block;width:100%;max-width:40rem;height:auto}
            @media(max-width:480px){svg text{font-size:18px}}svg text{font-size:12px;fill:var(--soft)}.axis{fill:none;stroke:var(--soft)}.now{stroke:var(--mark);stroke-dasharray:4 3}
            .line{fill:none;stroke:var(--accent);stroke-width:2}.point{fill:var(--accent)}
            @media print{body{max-width:none}.scroll{overflow:visible}.figures div{border:1px solid #999}}
            """;

    private StatusPage() {}

    static String render(JobStatus job) {
        StringBuilder page = new StringBuilder(8192);
        page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
                        + "content=\"5\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" "
                        + "href=\"data:,\"><title>")
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
        job.servers().ifPresent(known -> ServersTable.write(page, known));
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
        job.energy().ifPresent(e -> page.append("<p class=\"sub\">Energy ")
                .append(escape(e.describe()))
                .append("</p>"));
        if (!job.note().isEmpty()) {
            page.append("<p class=\"note\">").append(escape(job.note())).append("</p>");
        }
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
        page.append(
                "<h2>Workers</h2><div class=\"scroll\"><table><tr><th>rank</th><th>group</th><th>host</th><th>GPUs</th>"
                        + "<th class=\"n\">vcores</th><th class=\"n\">MiB</th><th class=\"n\">samples/s</th>"
                        + "<th class=\"n\">CPU s</th><th class=\"n\">data MB/s</th><th class=\"n\">from memory</th>"
                        + "<th>logs</th></tr>");
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
                    .append("</td><td class=\"n\">")
                    .append(worker.data().map(data -> number(data.readMBps())).orElse(""))
                    .append("</td><td class=\"n\">")
                    .append(worker.data()
                            .filter(data -> data.hitRate().isPresent())
                            .map(data -> Math.round(100 * data.hitRate().getAsDouble()) + " %")
                            .orElse(""))
                    .append("</td><td><a href=\"")
                    .append(escape(worker.logs()))
                    .append("\">logs</a></td></tr>");
        }
        page.append("</table></div>");
    }

    private static void resizes(StringBuilder page, List<ObjectNode> resizes) {
        page.append("<h2>Resizes</h2>");
        if (resizes.isEmpty()) {
            page.append("<p>None yet.</p>");
            return;
        }
        page.append(
                "<div class=\"scroll\"><table><tr><th class=\"n\">after s</th><th>container</th><th class=\"n\">from → to</th><th>by</th>"
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
                    .append(resize.path("resource").asText().equals("memoryMiB") ? " MiB" : " vcores")
                    .append("</td><td>")
                    .append(escape(resize.path("by").asText()))
                    .append("</td><td class=\"n\">")
                    .append(speed(resize, "samplesPerSecondBefore"))
                    .append("</td><td class=\"n\">")
                    .append(speed(resize, "samplesPerSecondAfter"))
                    .append("</td></tr>");
        }
        page.append("</table></div>");
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
