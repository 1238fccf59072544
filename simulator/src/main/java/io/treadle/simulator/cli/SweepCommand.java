// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.report.SweepReport;
import io.treadle.simulator.result.SweepFiles;
import io.treadle.simulator.result.SweepRow;
import io.treadle.simulator.result.SweepTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(names = "--out", paramLabel = "DIR", description = "where the results go")
    private @Nullable Path out;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "P",
            description = "policies to compare, such as fifo,sjf,srtf+synergy-tune")
    private @Nullable List<String> policies;

    @Option(
            names = "--load-factor",
            split = ",",
            paramLabel = "X",
            description = "loads such as 0.6,0.8,1.0: submissions are moved together or apart so that demand is X times"
                    + " the GPU time there is")
    private @Nullable List<String> loads;

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "N",
            description = "sizes such as 8,16,32: as many nodes of the cluster's kind instead of its own")
    private @Nullable List<String> nodes;

    @Option(
            names = "--seed",
            split = ",",
            paramLabel = "N",
            description =
                    "seeds such as 1,2,3: with --like each is another list of jobs, in openb what is random there")
    private @Nullable List<String> seeds;

    @Option(
            names = "--like",
            paramLabel = "NAME",
            description = "instead of --trace: for each seed, --jobs N are drawn as 'treadle generate' does")
    private @Nullable String like;

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "N|FROM:TO",
            description =
                    "N: how many to draw with --like; FROM:TO: measure only the jobs with these ids; or both, such"
                            + " as 20000,4000:5000")
    private @Nullable List<String> jobs;

    @Option(
            names = "--report",
            defaultValue = "off",
            paramLabel = "on|off",
            description = "whether each point gets its own report, event logs and traces (default: ${DEFAULT-VALUE})")
    private String report;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description =
                    "how many simulations at the same time (default: one for each core, fewer where they would not"
                            + " fit into memory)")
    private @Nullable Integer parallel;

    @Option(names = "--again", description = "run also what is done already")
    private boolean again;

    @Override
    public Integer call() {
        SweepArguments arguments = SweepArguments.of(spec, spec.commandLine().getParseResult(), file);
        SweepPlan plan = SweepPlan.of(arguments);
        PrintWriter err = spec.commandLine().getErr();
        int threads = Parallelism.of(parallel, plan.first().workload().jobs().size(), plan.pages());
        err.println(plan.heading(threads));
        err.flush();
        List<SweepRow> rows =
                plan.sweep().run(threads, again, new SweepProgress(err, Boolean.getBoolean("treadle.terminal")));
        SweepFiles.write(plan.out(), rows);
        SweepReport.write(plan.out(), plan.subject(), rows);
        PrintWriter text = spec.commandLine().getOut();
        text.print(SweepTable.of(rows));
        text.println("written to " + plan.out());
        text.flush();
        return 0;
    }
}
