// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.simulator.result.SeedMean;
import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was found, in words and tables. */
final class SmdText {
    private SmdText() {}

    /** For a terminal. */
    static String of(SmdResult result) {
        StringBuilder text = new StringBuilder();
        for (Online load : result.online()) {
            text.append(heading(load))
                    .append('\n')
                    .append(TextTable.of(rows(load)))
                    .append('\n');
        }
        return text.append(OVERLOAD)
                .append('\n')
                .append(TextTable.of(overload(result)))
                .append('\n')
                .append(TextTable.of(checks(result)))
                .append('\n')
                .append(TextTable.of(rounds(result)))
                .append('\n')
                .append(explained(result))
                .append('\n')
                .toString();
    }

    static final String OVERLOAD =
            "All jobs at once: what the choice brings, as a part of the most with its own sizes, in what it maximises";

    static String heading(Online load) {
        return String.format(
                Locale.ROOT, "%.0f jobs an hour: what their ends are worth, and mean completion time", load.perHour());
    }

    static List<List<String>> rows(Online load) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of("policy", "worth", "times Optimus", "completion time, h", "times Optimus", "changes", "stops"));
        for (String policy : Online.POLICIES) {
            rows.add(List.of(
                    policy,
                    number("%.0f", load.mean(policy, OnlineRun::worth)),
                    ratio(load, policy, load.logRatio(policy, OnlineRun::worth)),
                    number("%.1f", load.mean(policy, OnlineRun::jctSeconds) / 3600),
                    ratio(load, policy, load.logRatio(policy, OnlineRun::jctSeconds)),
                    number("%.1f", load.mean(policy, OnlineRun::changes)),
                    number("%.1f", load.mean(policy, OnlineRun::stops))));
        }
        return rows;
    }

    private static String ratio(Online load, String policy, SeedMean log) {
        return policy.equals(Online.BASELINE) ? "1" : ratio(log, load.of(policy).size());
    }

    static String ratio(SeedMean log, int seeds) {
        return seeds == 1
                ? number("%.2f", Math.exp(log.mean()))
                : String.format(
                        Locale.ROOT,
                        "%.2f (%.2f to %.2f)",
                        Math.exp(log.mean()),
                        Math.exp(log.mean() - log.halfWidth()),
                        Math.exp(log.mean() + log.halfWidth()));
    }

    static List<List<String>> overload(SmdResult result) {
        List<List<String>> rows = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("jobs"));
        names.addAll(Overload.POLICIES);
        rows.add(names);
        for (Overload at : result.overload()) {
            List<String> row = new ArrayList<>(List.of(String.valueOf(at.jobs())));
            at.reached().values().forEach(part -> row.add(number("%.4f", part.mean())));
            rows.add(row);
        }
        return rows;
    }

    static List<List<String>> checks(SmdResult result) {
        Sizes sizes = result.sizes();
        Knapsacks packs = result.knapsacks();
        return List.of(
                List.of("beside the best", "how many", "mean", "worst"),
                List.of(
                        "sizes of jobs, as fast as the best of all sizes",
                        sizes.optimal() + " of " + sizes.jobs(),
                        "",
                        number("%.4f times as long", sizes.worst())),
                List.of(
                        "knapsacks of up to 18 items, one guess as published",
                        String.valueOf(packs.count()),
                        number("%.4f", packs.published().mean()),
                        number("%.4f", packs.published().worst())),
                List.of(
                        "the same as smd packs them",
                        String.valueOf(packs.count()),
                        number("%.4f", packs.ours().mean()),
                        number("%.4f", packs.ours().worst())),
                List.of("worth more than their bound", String.valueOf(packs.aboveBound()), "", ""));
    }

    static List<List<String>> rounds(SmdResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("a round", "jobs", "nodes", "first, ms", "later, ms", "once they run, ms", "the choice"));
        for (RoundCost cost : result.rounds()) {
            rows.add(List.of(
                    cost.policy(),
                    String.format(Locale.ROOT, "%,d", cost.jobs()),
                    String.format(Locale.ROOT, "%,d", cost.nodes()),
                    number("%.0f", cost.first()),
                    number("%.0f", cost.later()),
                    number("%.0f", cost.running()),
                    cost.finished() ? "finished" : "cut short"));
        }
        return rows;
    }

    static String explained(SmdResult result) {
        return String.format(
                Locale.ROOT,
                "%d jobs with workers and parameter servers on 8 nodes of 8 GPUs, 40 vcores and 137.5 GiB, %d seeds from"
                        + " %d on; decisions every 600 s, another size costs 30 s. Worth: what jobs say that their ends"
                        + " are worth by when they come. Times Optimus: geometric means over seeds, with 95 %% intervals."
                        + " The rules of Optimus and of equal servers and workers are our own implementations. The figures of SMD's"
                        + " paper could not be read: none is quoted. All jobs at once: on 96 GPUs, 480 vcores and"
                        + " 1,600 GiB. On %s.",
                result.jobs(),
                result.seeds(),
                result.seed(),
                result.machine().inWords());
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
