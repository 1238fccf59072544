// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Locale;

/** The job's page: self-contained, without scripts, with relative links only, so that it works behind any proxy. */
final class StatusPage {
    private static final int MAX_RESIZES = 60;

    private StatusPage() {}

    static String render(JobStatus job) {
        StringBuilder page = new StringBuilder(8192);
        Html.begin(page, job.name(), job.applicationId() + " · " + job.user());
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
        return Html.end(page);
    }

    private static void figures(StringBuilder page, JobStatus job) {
        page.append("<div class=\"figures\">");
        Html.figure(page, job.state(), "state");
        Html.figure(page, Html.number(job.samplesPerSecond()), "samples/s");
        String of = job.totalSamples() > 0 ? " of " + String.format(Locale.ROOT, "%,d", job.totalSamples()) : "";
        Html.figure(page, String.format(Locale.ROOT, "%,d", job.samples()), "samples" + of);
        Html.figure(page, Long.toString(vcoresNow(job)), "vcores a worker");
        Html.figure(page, Integer.toString(job.restarts()), "restarts");
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
                .append(Html.escape(e.describe()))
                .append("</p>"));
        if (!job.note().isEmpty()) {
            page.append("<p class=\"note\">").append(Html.escape(job.note())).append("</p>");
        }
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
                    .append(Html.escape(worker.group()))
                    .append("</td><td>")
                    .append(Html.escape(worker.host()))
                    .append("</td><td>")
                    .append(Html.escape(String.join(" ", worker.devices())))
                    .append("</td><td class=\"n\">")
                    .append(worker.vcores())
                    .append("</td><td class=\"n\">")
                    .append(worker.memoryMiB())
                    .append("</td><td class=\"n\">")
                    .append(Html.number(worker.samplesPerSecond()))
                    .append("</td><td class=\"n\">")
                    .append(Html.number(worker.cpuSeconds()))
                    .append("</td><td class=\"n\">")
                    .append(worker.data()
                            .map(data -> Html.number(data.readMBps()))
                            .orElse(""))
                    .append("</td><td class=\"n\">")
                    .append(worker.data()
                            .filter(data -> data.hitRate().isPresent())
                            .map(data -> Math.round(100 * data.hitRate().getAsDouble()) + " %")
                            .orElse(""))
                    .append("</td><td><a href=\"")
                    .append(Html.escape(worker.logs()))
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
                    .append(Html.number(resize.path("atSeconds").asDouble()))
                    .append("</td><td>")
                    .append(Html.escape(resize.path("containerId").asText()))
                    .append("</td><td class=\"n\">")
                    .append(resize.path("from").asLong())
                    .append(" → ")
                    .append(resize.path("to").asLong())
                    .append(resize.path("resource").asText().equals("memoryMiB") ? " MiB" : " vcores")
                    .append("</td><td>")
                    .append(Html.escape(resize.path("by").asText()))
                    .append("</td><td class=\"n\">")
                    .append(speed(resize, "samplesPerSecondBefore"))
                    .append("</td><td class=\"n\">")
                    .append(speed(resize, "samplesPerSecondAfter"))
                    .append("</td></tr>");
        }
        page.append("</table></div>");
    }

    private static String speed(ObjectNode resize, String field) {
        return resize.hasNonNull(field) ? Html.number(resize.path(field).asDouble()) : "–";
    }
}
