// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.power.PowerReport;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Power of the cluster: draw against budget, and who draws and has spent it. */
final class PowerSection {
    static final String QUEUES = "power-queues";
    static final String NODES = "power-nodes";
    private static final int MOST_USERS = 20;
    private static final int MOST_ASLEEP = 50;

    private final PowerReport power;
    private final ClusterView view;
    private final Sorting sorting;

    PowerSection(ClusterView view, Sorting sorting) {
        this.power = view.power();
        this.view = view;
        this.sorting = sorting;
    }

    /** Nothing where no node has said what it draws, and nobody has set a budget. */
    void write(Markup page) {
        if (power.nodes().isEmpty()
                && power.warnings().isEmpty()
                && power.budgetWatts().isEmpty()
                && power.energy().isEmpty()
                && power.asleep().isEmpty()) {
            return;
        }
        page.element("h3", "Power", "id", "power").element("p", summary());
        power.energy().ifPresent(state -> page.element("p", "Energy budget: " + BudgetText.of(state) + "."));
        power.warnings().forEach(warning -> page.element("p", warning, "class", "explain"));
        if (!power.lastHour().isEmpty()) {
            page.open("div", "class", "scroll")
                    .raw(PowerChart.svg(power.lastHour(), view.nowMs()))
                    .close();
        }
        if (!power.asleep().isEmpty()) {
            page.element(
                    "p",
                    power.asleep().stream()
                            .limit(MOST_ASLEEP)
                            .map(s -> s.node() + " " + s.stage().words() + " since " + JobText.time(s.sinceMs()))
                            .collect(Collectors.joining(
                                    "; ", "Nodes: ", more(power.asleep().size() - MOST_ASLEEP))),
                    "class",
                    "explain");
        }
        queues(page);
        users(page);
        nodes(page);
    }

    private String summary() {
        StringBuilder text =
                new StringBuilder("The nodes draw " + JobText.watts(power.draw().watts()));
        if (power.budgetWatts().isPresent()) {
            double budget = power.budgetWatts().getAsDouble();
            text.append(" of the ").append(JobText.watts(budget)).append(" that they may draw");
        } else {
            text.append("; there is no budget for all of them");
        }
        if (power.draw().peakWatts() > 0) {
            text.append(". With every GPU at its own limit they would draw about ")
                    .append(JobText.watts(power.draw().peakWatts()))
                    .append(", with none in use about ")
                    .append(JobText.watts(power.draw().idleWatts()));
        }
        text.append(". Their GPUs have used ").append(JobText.energy(power.joules()));
        if (power.idleJoules() > 0) {
            text.append(", ").append(JobText.energy(power.idleJoules())).append(" of it while nobody held them");
        }
        return text.append('.').toString();
    }

    private static void heads(Markup page, List<String> heads, int numbersFrom) {
        page.open("thead").open("tr");
        for (int i = 0; i < heads.size(); i++) {
            page.element("th", heads.get(i), "class", i >= numbersFrom ? "n" : "", "scope", "col");
        }
        page.close().close().open("tbody");
    }

    private static String more(int left) {
        return left > 0 ? "; and " + JobText.count(left) + " more." : ".";
    }

    private void queues(Markup page) {
        ClusterPage.openTable(page, QUEUES, "Power of queues");
        heads(page, List.of("queue", "drawn by GPUs of its jobs", "energy budget", "energy", "jobs with GPUs"), 3);
        Sorting.Shown<PowerReport.Queue> shown = sorting.shown(QUEUES, List.of(), power.queues());
        for (PowerReport.Queue queue : shown.rows()) {
            OptionalDouble budget = queue.budgetWatts();
            page.open("tr").element("td", queue.path()).open("td", "class", "nowrap");
            if (budget.isPresent()) {
                ClusterPage.bar(
                        page,
                        Math.round(queue.watts()),
                        Math.round(budget.getAsDouble()),
                        JobText.watts(queue.watts()) + " of " + JobText.watts(budget.getAsDouble()));
            } else {
                page.text(JobText.watts(queue.watts()));
            }
            page.close()
                    .element("td", queue.energy().map(BudgetText::of).orElse(JobText.NONE))
                    .element("td", JobText.energy(queue.joules()), "class", "n")
                    .element("td", Integer.toString(queue.jobs()), "class", "n")
                    .close();
        }
        page.close();
        ClusterPage.closeTable(page);
        sorting.pages(page, QUEUES, shown);
    }

    private void users(Markup page) {
        List<Map.Entry<String, Double>> users = power.users().entrySet().stream()
                .filter(e -> view.maySeeEnergyOf().test(e.getKey()))
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .toList();
        if (users.isEmpty()) {
            return;
        }
        ClusterPage.openTable(page, "power-users", "Energy of users");
        heads(page, List.of("user", "energy", "share"), 1);
        for (Map.Entry<String, Double> user : users.subList(0, Math.min(MOST_USERS, users.size()))) {
            page.open("tr")
                    .element("td", user.getKey())
                    .element("td", JobText.energy(user.getValue()), "class", "n")
                    .element(
                            "td",
                            String.format(Locale.ROOT, "%.0f %%", 100 * user.getValue() / Math.max(1, power.joules())),
                            "class",
                            "n")
                    .close();
        }
        page.close();
        ClusterPage.closeTable(page);
    }

    private void nodes(Markup page) {
        if (power.nodes().isEmpty()) {
            return;
        }
        ClusterPage.openTable(page, NODES, "Power of nodes");
        heads(page, List.of("node", "known by", "draw", "GPUs", "caps in force", "trouble"), 9);
        Sorting.Shown<PowerReport.Node> shown = sorting.shown(NODES, List.of(), power.nodes());
        for (PowerReport.Node node : shown.rows()) {
            page.open("tr")
                    .element("td", node.name(), "class", "nowrap")
                    .element("td", node.source())
                    .element("td", JobText.watts(node.watts()), "class", "n nowrap")
                    .element("td", gpus(node), "class", "nowrap")
                    .element("td", caps(node))
                    .element("td", node.trouble())
                    .close();
        }
        page.close();
        ClusterPage.closeTable(page);
        sorting.pages(page, NODES, shown);
    }

    private static String gpus(PowerReport.Node node) {
        double drawn = node.gpus().stream().mapToDouble(g -> g.device().watts()).sum();
        double most =
                node.gpus().stream().mapToDouble(PowerReport.Gpu::limitWatts).sum();
        return node.gpus().isEmpty() ? "none" : JobText.watts(drawn) + " of at most " + JobText.watts(most);
    }

    /** Such as {@code 250 W on GPUs 0, 2}. */
    static String caps(PowerReport.Node node) {
        Map<Long, List<Integer>> byCap = node.gpus().stream()
                .filter(PowerReport.Gpu::isCapped)
                .collect(Collectors.groupingBy(
                        g -> Math.round(g.capWatts()),
                        Collectors.mapping(g -> g.device().index(), Collectors.toList())));
        return byCap.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(e -> JobText.watts(e.getKey())
                        + (e.getValue().size() == 1 ? " on GPU " : " on GPUs ")
                        + e.getValue().stream().map(String::valueOf).collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
    }
}
