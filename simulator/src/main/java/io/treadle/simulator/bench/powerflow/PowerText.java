// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What was found, in words and tables. */
final class PowerText {
    private PowerText() {}

    /** For a terminal. */
    static String of(PowerResult result) {
        StringBuilder text = new StringBuilder();
        for (PowerResult.Load load : result.loads()) {
            text.append(heading(load))
                    .append('\n')
                    .append(TextTable.of(rows(load)))
                    .append('\n');
        }
        return text.append(TextTable.of(cost(result.cost())))
                .append('\n')
                .append(explained(result))
                .append('\n')
                .toString();
    }

    static String heading(PowerResult.Load load) {
        return String.format(
                Locale.ROOT,
                "%s: mean completion time at equal energy, in that of powerflow, and energy that powerflow"
                        + " saves where jobs end as soon",
                load.work().heading());
    }

    static List<List<String>> rows(PowerResult.Load load) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("beside", "times as long", "with noise", "of the gain kept", "energy saved"));
        for (int i = PowerResult.Load.FIRST_OTHER; i < load.rivals().size(); i++) {
            boolean isOff = load.rivals().get(i).besideOff();
            Against against = load.against(i);
            Against noisy = load.noisyAgainst(i);
            rows.add(List.of(
                    load.rivals().get(i).name(),
                    against.timesInWords(),
                    isOff ? "–" : noisy.timesInWords(),
                    isOff ? "–" : kept(against.times(), noisy.times()),
                    against.savedInWords()));
        }
        return rows;
    }

    /** Of what is beyond once as long. With noise a frontier may reach to less energy, where others are slower. */
    private static String kept(OptionalDouble exact, OptionalDouble noisy) {
        if (exact.isEmpty() || noisy.isEmpty() || exact.getAsDouble() < 1.02) {
            return "–";
        }
        double part = (noisy.getAsDouble() - 1) / (exact.getAsDouble() - 1);
        return part > 1 ? "all" : part <= 0 ? "none" : String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    static List<List<String>> cost(PlanCost cost) {
        return List.of(
                List.of("a plan of powerflow", "jobs", "GPUs", "ms"),
                row("nothing runs", cost, cost.first()),
                row("most jobs run, a tenth is new", cost, cost.running()),
                row("the same under a limit on power", cost, cost.limited()));
    }

    private static List<String> row(String what, PlanCost cost, double ms) {
        return List.of(
                what,
                String.format(Locale.ROOT, "%,d", cost.jobs()),
                String.format(Locale.ROOT, "%,d", cost.gpus()),
                String.format(Locale.ROOT, "%.1f", ms));
    }

    static String explained(PowerResult result) {
        return String.format(
                Locale.ROOT,
                "%d jobs on 8 nodes of 8 GPUs (A100, 400 W; a node 450 W itself, an idle GPU 55 W), %d seeds from %d on;"
                        + " log-normal lengths (median 22 min, sigma 1.2) on 1, 2, 4, 8 or 16 GPUs asked for (5:4:3:2:1);"
                        + " times of ElasticFlow's A100 tables, what caps cost from Zeus' V100 measurements in proportion to"
                        + " the limit; another number of GPUs, other GPUs or a stop cost 30 s. Each policy over its own knob:"
                        + " powerflow over the price of energy, those with Zeus over its weight, a limit over its share of"
                        + " the peak. Times as long: the geometric mean over the points of the other's frontier, then over"
                        + " seeds, with 95 %% intervals.%s Nodes that are switched off: after 300 s without a job, one spare, 120 s to start, 15 W. No GPU was measured. On %s.",
                result.jobs(),
                result.seeds(),
                result.seed(),
                result.loads().stream().anyMatch(load -> load.work().seeds().size() == 1)
                        ? " ElasticFlow's Philly list: its jobs, models, batch sizes and lengths, one run for each point,"
                                + " beyond 64 GPUs every third point of a knob; its submissions moved together or apart until the jobs ask for so much of the GPUs."
                        : "",
                result.machine().inWords());
    }
}
