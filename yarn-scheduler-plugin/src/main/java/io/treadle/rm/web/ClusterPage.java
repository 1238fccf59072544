// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.power.PowerReport;
import io.treadle.rm.scheduler.PlannerHealth;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of queues, jobs and nodes, for an admin who looks. */
final class ClusterPage {
    static final List<String> TABLES = List.of("queues", "jobs", "nodes", PowerSection.QUEUES, PowerSection.NODES);

    private ClusterPage() {}

    /** @param parameters of the request; see {@link Sorting} */
    static String render(ClusterView view, Links links, Map<String, String> parameters) {
        Sorting sorting = new Sorting(TABLES, parameters);
        Markup page = new Markup().open("div", "class", "treadle");
        planner(page, view.planner());
        figures(page, view);
        new QueueTable(view, sorting).write(page);
        JobTable jobs = new JobTable(view, links, sorting);
        jobs.write(page);
        jobs.writeEnded(page);
        new NodeTable(view, links, sorting).write(page);
        new PowerSection(view, sorting).write(page);
        return page.close().toString();
    }

    /** What an admin should know of the planner: nothing, while all is well. */
    private static void planner(Markup page, PlannerHealth.Report planner) {
        if (planner.stuck()) {
            page.element(
                    "p",
                    "No job is planned: the planner has been busy for " + planner.busyMs() / 1000 + " s to "
                            + planner.activity() + ". The ResourceManager's log says where it stands.");
        }
        if (planner.failures() > 0) {
            page.element(
                    "p",
                    "Rounds of the planner have failed " + planner.failures() + " times in part, last: "
                            + planner.lastFailure());
        }
    }

    private static void figures(Markup page, ClusterView view) {
        NodeTotals totals = NodeTotals.of(view.nodes());
        page.open("div", "class", "figures");
        figure(page, totals.usedGpus() + " of " + totals.gpus(), "GPUs in use" + note(totals));
        draw(page, view.power(), totals);
        figure(page, Long.toString(view.running()), "jobs running, " + view.waiting() + " waiting");
        double wattHours = totals.millijoules() / 3.6e6;
        if (wattHours > 0) {
            figure(
                    page,
                    String.format(
                            Locale.ROOT,
                            wattHours < 1000 ? "%.1f Wh" : "%,.1f kWh",
                            wattHours < 1000 ? wattHours : wattHours / 1000),
                    "used by GPUs since their drivers were loaded");
        }
        page.close();
    }

    private static void draw(Markup page, PowerReport power, NodeTotals totals) {
        if (power.budgetWatts().isPresent()) {
            figure(
                    page,
                    JobText.watts(power.draw().watts()),
                    "drawn by nodes now, budget "
                            + JobText.watts(power.budgetWatts().getAsDouble()));
        } else if (totals.watts() > 0) {
            figure(
                    page,
                    JobText.watts(totals.watts()),
                    "drawn by GPUs now"
                            + (totals.capWatts() > 0 ? ", at most " + JobText.watts(totals.capWatts()) : ""));
        }
    }

    private static String note(NodeTotals totals) {
        double busy = totals.meanUtilizationPercent();
        return (busy > 0 ? String.format(Locale.ROOT, ", %.0f %% busy on average", busy) : "")
                + (totals.simulated() == 0
                        ? ""
                        : totals.simulated() == totals.devices() ? " (simulated)" : " (some simulated)");
    }

    static void figure(Markup page, String value, String name) {
        page.open("div").element("b", value).text(name).close();
    }

    /** Heading, and a table that scrolls sideways in itself where the screen is narrow. */
    static void openTable(Markup page, String id, String title) {
        page.element("h3", title, "id", id).open("div", "class", "scroll").open("table");
    }

    static void closeTable(Markup page) {
        page.close().close();
    }

    /** A share as a bar with its text beside it. */
    static void bar(Markup page, long part, long whole, String text) {
        double percent = whole > 0 ? Math.min(100, 100.0 * part / whole) : 0;
        page.open("span", "class", "bar", "aria-hidden", "true")
                .element("i", "", "style", String.format(Locale.ROOT, "width:%.0f%%", percent))
                .close()
                .text(" " + text);
    }
}
