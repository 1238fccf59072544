// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.BudgetNotes;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.report.SweepReport;
import io.treadle.simulator.result.SweepFiles;
import io.treadle.simulator.result.SweepRow;
import io.treadle.simulator.result.SweepTable;
import io.treadle.simulator.sweep.Sweep;
import io.treadle.simulator.sweep.SweepWatcher;
import io.treadle.simulator.sweep.SweepWorker;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code treadle sweep}. */
@Command(
        name = "sweep",
        description = {
            "Simulates policies at several loads, seeds and sizes of a cluster, and draws how they compare.",
            "Run again after an interruption, or with more values: what is done is not repeated."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        modelTransformer = PointOptionsToo.class)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class SweepCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "a YAML file with these options by their names without dashes; options given here win")
    private @Nullable Path file;

    /** Read by their names, as those of a file are: {@link SweepArguments}. */
    @Mixin
    @SuppressWarnings("UnusedVariable")
    private SweepOptions options;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description =
                    "how many simulations at the same time (default: one for each core, fewer where they would not"
                            + " fit into memory)")
    private @Nullable Integer parallel;

    @Option(names = "--again", description = "run also what is done already")
    private boolean again;

    @Mixin
    private YarnOptions yarn;

    @Override
    public Integer call() {
        if (yarn.isYarn()) {
            YarnSweep.check(yarn);
        }
        SweepArguments arguments = SweepArguments.of(spec, spec.commandLine().getParseResult(), file);
        SweepPlan plan = plan(arguments);
        int threads = Parallelism.of(parallel, plan.first().workload().jobs().size(), plan.pages());
        if (yarn.isWorker()) {
            work(plan, threads);
            return 0;
        }
        PrintWriter err = spec.commandLine().getErr();
        err.println(plan.heading(yarn.isYarn() ? yarn.workers() * yarn.vcores() : threads));
        plan.first().notes().forEach(err::println);
        BudgetNotes.of(plan.first().workload().cluster(), plan.points().get(0).options())
                .forEach(err::println);
        plan.first().skipped().forEach(err::println);
        err.flush();
        Sweep sweep = plan.sweep();
        List<Path> open = yarn.isYarn() ? sweep.open(again) : List.of();
        if (!open.isEmpty()) {
            new YarnSweep(plan, arguments, yarn, err).run(open);
        }
        // What the cluster has done need not be said to be done before.
        SweepWatcher progress =
                open.isEmpty() ? new SweepProgress(err, Boolean.getBoolean("treadle.terminal")) : SweepWatcher.NONE;
        List<SweepRow> rows = sweep.run(threads, again && !yarn.isYarn(), progress);
        SweepFiles.write(plan.out(), rows);
        SweepReport.write(plan.out(), plan.subject(), rows);
        PrintWriter text = spec.commandLine().getOut();
        text.print(SweepTable.of(rows));
        text.println("written to " + plan.out());
        text.flush();
        return 0;
    }

    private SweepPlan plan(SweepArguments arguments) {
        try {
            return SweepPlan.of(arguments, yarn.isWorker());
        } catch (InputException e) {
            throw arguments.located(e);
        }
    }

    private void work(SweepPlan plan, int threads) {
        new SweepWorker(plan.out(), Path.of("runs"), plan.points(), plan.policies(), plan.pages())
                .work(threads, yarn.claims(plan.out()));
    }
}
