// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.report.Report;
import io.treadle.simulator.report.ReportSubject;
import io.treadle.simulator.report.RunLog;
import io.treadle.simulator.result.OutputDirectory;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SummaryTable;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle simulate}. */
@Command(
        name = "simulate",
        description = "Replays a trace on a simulated cluster with the policies that the cluster runs.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--trace", required = true, paramLabel = "FILE", description = "the jobs; plain text or gzip")
    private Path trace;

    @Option(
            names = "--format",
            defaultValue = "auto",
            paramLabel = "NAME",
            description = "format of the trace: treadle, synergy, openb (default: ${DEFAULT-VALUE}, by its first row)")
    private String format;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "FILE|NAME",
            description = "the nodes: a file, or synergy-128 or synergy-32")
    private String cluster;

    @Option(
            names = "--policy",
            required = true,
            split = ",",
            paramLabel = "P",
            description = "policies to compare, such as fifo,sjf,srtf+synergy-tune")
    private List<String> policies;

    @Option(
            names = "--placement",
            paramLabel = "NAME",
            description = "first-fit, best-fit or consolidate (default: consolidate)")
    private @Nullable String placement;

    @Option(
            names = "--preemption",
            defaultValue = "off",
            paramLabel = "on|off",
            description = "whether running jobs make way for others (default: ${DEFAULT-VALUE})")
    private String preemption;

    @Option(
            names = "--jobs",
            paramLabel = "FROM:TO",
            description = "measure only the jobs with these ids; the run ends with them")
    private @Nullable String jobs;

    @Option(
            names = "--round",
            defaultValue = "300",
            paramLabel = "SECONDS",
            description = "length of a round where decisions come in rounds (default: ${DEFAULT-VALUE})")
    private double round;

    @Option(
            names = "--first-round",
            defaultValue = "auto",
            paramLabel = "auto|SECONDS",
            description = "when the first round is (default: ${DEFAULT-VALUE})")
    private String firstRound;

    @Option(
            names = "--compat",
            paramLabel = "NAME",
            description = "agree to the digit with a published simulator: helios, synergy")
    private @Nullable String compat;

    @Option(
            names = "--report",
            defaultValue = "on",
            paramLabel = "on|off",
            description = "whether to write report.html, event logs, Perfetto traces and tables of groups"
                    + " (default: ${DEFAULT-VALUE})")
    private String report;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the results go")
    private Path out;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        Compat rules = compat == null ? Compat.NONE : Compat.of(compat);
        SimulationOptions options = new SimulationOptions(
                rules,
                placement == null ? rules.defaultPlacement() : placement,
                Values.onOff("--preemption", preemption),
                jobs == null ? MeasuredJobs.ALL : MeasuredJobs.parse(jobs),
                Values.milliseconds("--round", round),
                Values.firstRound(firstRound));
        SimCluster nodes = ClusterReader.read(cluster);
        List<TraceJob> list = Traces.read(format, trace, nodes);
        err.printf(
                Locale.ROOT,
                "%,d jobs of %s on %s: %,d nodes, %,d GPUs%n",
                list.size(),
                trace.getFileName(),
                nodes.name(),
                nodes.nodes(),
                nodes.capacity().gpus());
        err.flush();
        OutputDirectory directory = new OutputDirectory(out);
        Simulation simulation = new Simulation(nodes, list, options);
        List<Summary> summaries = new ArrayList<>();
        Optional<Report> pages = Values.onOff("--report", report)
                ? Optional.of(new Report(
                        out,
                        new ReportSubject(
                                String.valueOf(trace.getFileName()),
                                nodes,
                                list,
                                job -> options.measured().contains(job.id()),
                                settings(options),
                                policies.size())))
                : Optional.empty();
        for (String policy : policies) {
            Heap.reset();
            ProgressLine progress = new ProgressLine(err, Boolean.getBoolean("treadle.terminal"), policy, list.size());
            RunLog log = new RunLog(nodes, list);
            Outcome outcome = simulation.run(policy, progress, pages.isPresent() ? log : Journal.NONE);
            progress.done();
            Summary summary = Summary.of(outcome, Heap.peakMb());
            directory.add(outcome, summary);
            summaries.add(summary);
            pages.ifPresent(page -> page.add(summary, log).forEach(err::println));
        }
        pages.ifPresent(Report::write);
        spec.commandLine().getOut().print(SummaryTable.of(summaries));
        spec.commandLine().getOut().println("written to " + out);
        spec.commandLine().getOut().flush();
        return 0;
    }

    /** What was asked for beside trace, cluster and policies, as people would write it. */
    private static String settings(SimulationOptions options) {
        List<String> words = new ArrayList<>();
        if (options.compat() != Compat.NONE) {
            words.add("--compat " + options.compat().text());
        }
        words.add("--placement " + options.placement());
        if (options.preempts()) {
            words.add("--preemption on");
        }
        if (!options.measured().equals(MeasuredJobs.ALL)) {
            words.add("--jobs " + options.measured().from() + ":"
                    + options.measured().to());
        }
        return String.join(" ", words);
    }
}
