// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.history.JobHistory;
import io.treadle.rm.power.JobPower;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of one job: what it holds and why, over time, how fast it is with what, and where its logs are. */
final class JobPage {
    static final List<String> TABLES = List.of("containers");

    private JobPage() {}

    /**
     * @param nowMs ms since the epoch
     * @param parameters of the request, see {@link Sorting}
     */
    static String render(JobAnswer answer, Links links, long nowMs, Map<String, String> parameters) {
        Markup page = new Markup().open("div", "class", "treadle");
        if (answer instanceof JobAnswer.Found found) {
            head(page, found, links);
            figures(page, found, nowMs);
            timeline(page, found, nowMs);
            SpeedSection.write(page, found.job(), found.endMs().isPresent());
            containers(page, found, new Sorting(TABLES, parameters));
            sizes(page, found);
        } else if (answer instanceof JobAnswer.Refused refused) {
            page.element("h2", refused.status() == 403 ? "Not yours to see" : "No such job")
                    .element("p", sentence(refused.message()));
            refused.application().ifPresent(id -> page.open("p")
                    .link(links.application(id), "YARN's page of " + id)
                    .close());
            page.open("p").link(links.cluster(), "All jobs").close();
        }
        return page.close().toString();
    }

    private static String sentence(String message) {
        return message.substring(0, 1).toUpperCase(Locale.ROOT) + message.substring(1) + ".";
    }

    private static void head(Markup page, JobAnswer.Found found, Links links) {
        Gang gang = found.job().gang();
        String id = gang.id().toString();
        page.open("p", "class", "soft")
                .link(links.cluster(), "All jobs")
                .text(" › " + id)
                .close();
        page.element("h2", gang.name(), "class", "name");
        page.open("p", "class", "soft")
                .text("of " + gang.user() + " in " + gang.queue() + " (" + found.policy() + "), submitted "
                        + JobText.time(gang.submitMs())
                        + (gang.spec().modelTag().isEmpty()
                                ? ""
                                : ", model " + gang.spec().modelTag()))
                .close();
        if (found.endMs().isEmpty()) {
            page.element("p", gang.reason(), "class", "explain");
            JobText.note(found.job())
                    .ifPresent(note -> page.element("p", "Its ApplicationMaster says: " + note, "class", "soft"));
        }
        page.open("p", "class", "links");
        if (!found.trackingUrl().isEmpty()) {
            page.link(found.trackingUrl(), "ApplicationMaster's page").text(" · ");
        }
        page.link(links.application(gang.id()), "YARN's page")
                .text(" · ")
                .link("/ws/v1/treadle/jobs/" + id, "JSON")
                .close();
    }

    private static void figures(Markup page, JobAnswer.Found found, long nowMs) {
        StatusReport.Job job = found.job();
        page.open("div", "class", "figures");
        long end = found.endMs().orElse(nowMs);
        ClusterPage.figure(
                page,
                found.state(),
                (found.endMs().isPresent() ? "after " : "for ")
                        + JobText.duration(end - job.gang().submitMs()));
        if (found.endMs().isEmpty()) {
            ClusterPage.figure(page, JobText.gang(job), "tasks of its gang");
            ClusterPage.figure(page, JobText.vcores(job), "vcores a task, " + JobText.usefulText(job) + " useful");
            JobText.usefulMemory(job)
                    .ifPresent(useful -> ClusterPage.figure(
                            page, JobText.memory(job), "MiB a task, " + JobText.count(useful) + " useful"));
            ClusterPage.figure(page, JobText.speed(job), "samples/s");
        }
        long total = job.gang().spec().totalSamples();
        ClusterPage.figure(
                page,
                JobText.done(job),
                (total > 0 ? "of " + JobText.count(total) + " samples" : "done; how many there are is not known")
                        + (found.endMs().isPresent() ? ", as it last said" : ""));
        found.power().ifPresent(power -> power(page, power));
        int restarts = job.progress().map(JobProgressRecord::restarts).orElse(0);
        if (restarts > 0) {
            ClusterPage.figure(page, Integer.toString(restarts), "restarts of its workers");
        }
        page.close();
    }

    private static void power(Markup page, JobPower power) {
        String each = power.joulesPerSample().isPresent()
                ? ", " + JobText.number(power.joulesPerSample().getAsDouble()) + " J a sample"
                : "";
        ClusterPage.figure(page, JobText.energy(power.joules()), "used by its GPUs" + each);
        if (power.watts() > 0) {
            ClusterPage.figure(page, JobText.watts(power.watts()), "drawn by its GPUs now");
        }
    }

    private static void timeline(Markup page, JobAnswer.Found found, long nowMs) {
        page.element("h3", "What it held", "id", "timeline");
        List<JobHistory.Size> sizes = found.history().sizes();
        if (sizes.isEmpty()) {
            page.element("p", "Nothing yet.", "class", "soft");
            return;
        }
        page.open("div", "class", "scroll")
                .raw(SizeChart.svg(
                        found.job().gang().submitMs(),
                        found.endMs().orElse(nowMs),
                        sizes,
                        found.history().speeds()))
                .close();
    }

    private static void containers(Markup page, JobAnswer.Found found, Sorting sorting) {
        List<StatusReport.Task> tasks = found.job().tasks();
        if (tasks.isEmpty()) {
            return;
        }
        ClusterPage.openTable(page, "containers", found.endMs().isPresent() ? "Its last containers" : "Containers");
        page.open("thead").open("tr");
        for (String head : List.of("container", "group", "node", "vcores", "MiB", "GPUs", "logs")) {
            page.element("th", head, "scope", "col");
        }
        page.close().close().open("tbody");
        Sorting.Shown<StatusReport.Task> shown = sorting.shown("containers", List.of(), tasks);
        for (StatusReport.Task task : shown.rows()) {
            page.open("tr")
                    .element("td", task.containerId(), "class", "nowrap")
                    .element("td", task.group())
                    .open("td", "class", "nowrap")
                    .link(Links.node(task.nodeHttpAddress()), task.node())
                    .close()
                    .element("td", Long.toString(task.size().vcores()))
                    .element("td", JobText.count(task.size().memoryMiB()))
                    .element("td", devices(task))
                    .open("td")
                    .link(task.logs(), "logs")
                    .close()
                    .close();
        }
        page.close();
        ClusterPage.closeTable(page);
        sorting.pages(page, "containers", shown);
    }

    private static String devices(StatusReport.Task task) {
        return task.devices().isEmpty() ? Long.toString(task.size().gpus()) : String.join(" ", task.devices());
    }

    private static void sizes(Markup page, JobAnswer.Found found) {
        List<JobHistory.Size> sizes = found.history().sizes();
        if (sizes.isEmpty()) {
            return;
        }
        page.open("details", "class", "sizes")
                .element("summary", "All " + sizes.size() + " sizes as a table")
                .open("div", "class", "scroll")
                .open("table")
                .open("thead")
                .open("tr");
        for (String head : List.of("from", "after", "tasks", "GPUs", "vcores of all tasks")) {
            page.element("th", head, "scope", "col");
        }
        page.close().close().open("tbody");
        for (JobHistory.Size size : sizes) {
            page.open("tr")
                    .element("td", JobText.time(size.atMs()), "class", "nowrap")
                    .element(
                            "td",
                            JobText.duration(size.atMs() - found.job().gang().submitMs()))
                    .element("td", Integer.toString(size.tasks()))
                    .element("td", Long.toString(size.gpus()))
                    .element("td", Long.toString(size.vcores()))
                    .close();
        }
        page.close().close().close().close();
    }
}
