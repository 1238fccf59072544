// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.BudgetNotes;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.plan.PlanReport;
import io.treadle.simulator.plan.PlanRequest;
import io.treadle.simulator.plan.Planner;
import io.treadle.simulator.replay.Replay;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle plan}. */
@Command(
        name = "plan",
        description = {
            "Finds the smallest cluster, the policy, or the split between queues that meets goals.",
            "Run again, with other goals too: what is simulated already is not repeated."
        },
        footer = "Exit code 0; 1 where nothing meets the goals; 2 for wrong input.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class PlanCommand implements Callable<Integer> {
    private static final int NOT_MET = 1;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ReplayOptions jobsAndCluster;

    @Option(
            names = "--policy",
            required = true,
            split = ",",
            paramLabel = "P",
            description = "a policy such as srtf; several with --find policy")
    private List<String> policies;

    @Option(
            names = "--goal",
            required = true,
            paramLabel = "GOAL",
            description = {
                "what must hold: mean, p50, p95, p99 or max of wait, jct or slowdown, such as 'p95 wait < 2h' or 'queue"
                        + " prod: mean slowdown < 3'; or 'makespan < 3d', 'utilization > 70%%'; may be given several times"
            })
    private List<String> goals;

    @Option(
            names = "--find",
            defaultValue = "nodes",
            paramLabel = "nodes|policy|quota",
            description =
                    "the smallest number of nodes; which of the policies; or how to split between queues the nodes of"
                            + " their partitions, or the capacities with which they share one (default: ${DEFAULT-VALUE})")
    private String find;

    @Option(
            names = "--most-nodes",
            paramLabel = "N",
            description = "the largest size to try (default: eight times the cluster's own; for a split of nodes, all)")
    private @Nullable Integer mostNodes;

    @Option(
            names = "--price",
            split = ",",
            paramLabel = "[MODEL=]PRICE",
            description = "what a GPU costs for an hour, such as A100=2.5,V100=1.1, or 2.0 for all others")
    private List<String> prices = List.of();

    @Mixin
    private EngineOptions engine;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description =
                    "how many simulations at the same time (default: one for each core, fewer where they would not"
                            + " fit into memory)")
    private @Nullable Integer parallel;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the results go")
    private Path out;

    @Override
    public Integer call() {
        if (!List.of("nodes", "policy", "quota").contains(find)) {
            throw new InputException("--find is '" + find + "', must be nodes, policy or quota.");
        }
        if (mostNodes != null && mostNodes < 1) {
            throw new InputException("--most-nodes is '" + mostNodes + "', must be at least 1.");
        }
        if (policies.size() > 1 && !find.equals("policy")) {
            throw new InputException("--policy names " + policies.size() + " policies, --find " + find
                    + " takes one.\nMaybe --find policy: which of them meets the goals.");
        }
        SimulationOptions options = engine.options();
        Replay replay = jobsAndCluster.request().read();
        PrintWriter err = spec.commandLine().getErr();
        Planner planner = new Planner(
                new PlanRequest(
                        replay,
                        options,
                        policies,
                        goals,
                        prices,
                        mostNodes == null ? OptionalInt.empty() : OptionalInt.of(mostNodes)),
                out,
                Parallelism.of(parallel, replay.workload().jobs().size(), false),
                line -> say(err, line));
        say(err, replay.heading());
        say(err, LoadTable.of(replay.offered()));
        replay.notes().forEach(line -> say(err, line));
        BudgetNotes.of(replay.workload().cluster(), options).forEach(line -> say(err, line));
        PlanReport report =
                switch (find) {
                    case "policy" -> planner.policy();
                    case "quota" -> planner.quota();
                    default -> planner.nodes();
                };
        PrintWriter text = spec.commandLine().getOut();
        text.print("\n" + report.text());
        text.println("written to " + out);
        text.flush();
        replay.skipped().forEach(line -> say(err, line));
        return report.isFound() ? 0 : NOT_MET;
    }

    private static void say(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
