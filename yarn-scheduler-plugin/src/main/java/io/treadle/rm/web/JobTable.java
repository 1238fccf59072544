// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.rm.bridge.StatusReport.Job;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.JobPower;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The jobs that the viewer may see, and those that ended last. */
final class JobTable {
    private static final int MAX_ENDED = 20;

    private final ClusterView view;
    private final Links links;
    private final Sorting sorting;
    /** By application; of those for which no node has counted anything there is none. */
    private final Map<String, Double> joules;

    JobTable(ClusterView view, Links links, Sorting sorting) {
        this.view = view;
        this.links = links;
        this.sorting = sorting;
        joules = view.power().jobs().stream()
                .collect(Collectors.toMap(job -> job.owner().application(), JobPower::joules));
    }

    private List<Sorting.Column<Job>> columns() {
        return List.of(
                Sorting.Column.text("id", "id", j -> j.gang().id()),
                Sorting.Column.text("name", "name", j -> j.gang().name()),
                Sorting.Column.text("user", "user", j -> j.gang().user()),
                Sorting.Column.text("queue", "queue", j -> j.gang().queue()),
                Sorting.Column.text("state", "state", Job::state),
                Sorting.Column.number("gang", "gang", j -> j.tasks().size()),
                Sorting.Column.number("gpus", "GPUs", JobTable::gpus),
                Sorting.Column.number("vcores", "vcores / useful", JobTable::mostVcores),
                Sorting.Column.number("speed", "samples/s", JobTable::speed),
                Sorting.Column.number("done", "done", j -> j.progress()
                        .map(JobProgressRecord::samples)
                        .orElse(0L)),
                Sorting.Column.number("energy", "energy", this::joules));
    }

    void write(Markup page) {
        ClusterPage.openTable(page, "jobs", "Jobs");
        List<Sorting.Column<Job>> columns = columns();
        sorting.heads(page, "jobs", columns);
        page.open("tbody");
        Sorting.Shown<Job> shown = sorting.shown("jobs", columns, view.jobs());
        for (Job job : shown.rows()) {
            row(page, job);
            page.open("tr", "class", "why")
                    .open("td", "colspan", Integer.toString(columns.size()))
                    .element("span", job.gang().reason())
                    .close()
                    .close();
        }
        if (view.jobs().isEmpty()) {
            page.open("tr")
                    .element(
                            "td",
                            "No job of Treadle's that you may view is in the cluster. Submit one: yarn jar"
                                    + " treadle-am.jar job.yaml",
                            "colspan",
                            Integer.toString(columns.size()),
                            "class",
                            "soft")
                    .close();
        }
        page.close();
        ClusterPage.closeTable(page);
        sorting.pages(page, "jobs", shown);
    }

    private void row(Markup page, Job job) {
        page.open("tr", "class", "job")
                .open("td", "class", "nowrap")
                .element("span", "", "class", "swatch", "style", "background:" + colour(job))
                .link(links.job(job.gang().id()), job.gang().id().toString())
                .close()
                .element("td", job.gang().name(), "class", "name")
                .element("td", job.gang().user())
                .open("td", "class", "nowrap")
                .link("#queue-" + job.gang().queue(), job.gang().queue())
                .close()
                .element("td", job.state())
                .element("td", JobText.gang(job), "class", "n")
                .element("td", Long.toString(gpus(job)), "class", "n")
                .element("td", JobText.vcores(job) + " / " + JobText.usefulText(job), "class", "n")
                .open("td", "class", "n")
                .text(JobText.speed(job))
                .raw(Sparkline.svg(view.histories().of(job.gang().id()).speeds()))
                .close()
                .element("td", JobText.done(job), "class", "n nowrap")
                .element("td", energy(job), "class", "n nowrap")
                .close();
    }

    private Double joules(Job job) {
        return joules.getOrDefault(job.gang().id().toString(), 0.0);
    }

    private String energy(Job job) {
        double joules = joules(job);
        return joules > 0 ? JobText.energy(joules) : JobText.NONE;
    }

    private static String colour(Job job) {
        return job.tasks().isEmpty() ? "none" : JobColours.of(job.gang().id());
    }

    void writeEnded(Markup page) {
        if (view.ended().isEmpty()) {
            return;
        }
        ClusterPage.openTable(page, "ended", "Ended last");
        page.open("thead").open("tr");
        for (String head : List.of("id", "name", "user", "queue", "ended", "took", "energy", "as")) {
            page.element("th", head, "scope", "col");
        }
        page.close().close().open("tbody");
        view.ended().stream().limit(MAX_ENDED).forEach(job -> ended(page, job));
        page.close();
        ClusterPage.closeTable(page);
    }

    private void ended(Markup page, JobHistories.EndedJob ended) {
        Job job = ended.job();
        page.open("tr")
                .open("td", "class", "nowrap")
                .link(links.job(job.gang().id()), job.gang().id().toString())
                .close()
                .element("td", job.gang().name(), "class", "name")
                .element("td", job.gang().user())
                .element("td", job.gang().queue())
                .element("td", JobText.time(ended.endMs()), "class", "nowrap")
                .element("td", JobText.duration(ended.endMs() - job.gang().submitMs()), "class", "nowrap")
                .element("td", energy(job), "class", "nowrap")
                .element("td", view.endedAs().apply(job.gang().id()))
                .close();
    }

    private static Long gpus(Job job) {
        return job.tasks().stream().mapToLong(t -> t.size().gpus()).sum();
    }

    private static Long mostVcores(Job job) {
        return job.tasks().stream().mapToLong(t -> t.size().vcores()).max().orElse(0);
    }

    private static Double speed(Job job) {
        return job.progress().map(JobProgressRecord::samplesPerSecond).orElse(0.0);
    }
}
