// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.OfferedLoad;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.report.KeptRuns;
import io.treadle.simulator.report.Report;
import io.treadle.simulator.report.ReportSubject;
import io.treadle.simulator.report.RunLog;
import io.treadle.simulator.result.FinishedPolicies;
import io.treadle.simulator.result.OutputDirectory;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SummaryTable;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Trace;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Workload;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            description = "format of the trace: acme, analysim, elasticflow, gavel, helios, muri, openb, pai, philly,"
                    + " pollux, sacct, spot, swf, synergy, tiresias or treadle (default: ${DEFAULT-VALUE}, by how it"
                    + " begins)")
    private String format;

    @Option(
            names = "--skip-bad-rows",
            description = "leave out rows of the trace that cannot be used, and say how many")
    private boolean skipBadRows;

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
            description = "first-fit, best-fit, free-gpu, consolidate, fgd, dot-product or packed (default:"
                    + " consolidate)")
    private @Nullable String placement;

    @Option(
            names = "--preemption",
            defaultValue = "off",
            paramLabel = "on|off",
            description = "whether running jobs make way for others (default: ${DEFAULT-VALUE})")
    private String preemption;

    @Mixin
    private CostOptions costs;

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
            description = "agree to the digit with a published simulator: helios, synergy, analysim, muri")
    private @Nullable String compat;

    @Option(
            names = "--report",
            defaultValue = "on",
            paramLabel = "on|off",
            description = "whether to write report.html, event logs, Perfetto traces and tables of groups"
                    + " (default: ${DEFAULT-VALUE})")
    private String report;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "what is random in an experiment is drawn from it: in openb, which of nodes that are alike comes"
                            + " first, and what --load draws (default: ${DEFAULT-VALUE})")
    private long seed = Experiment.DEFAULT.seed();

    @Option(
            names = "--load",
            paramLabel = "RATIO",
            description = "openb: the pods come in random order, and some again, until they ask for so many times the"
                    + " cluster's GPUs; 1.3 in FGD's experiments")
    private @Nullable Double load;

    @Option(
            names = "--load-factor",
            paramLabel = "X",
            description = "move submissions together or apart so that demand is X times the GPU time there is")
    private @Nullable Double loadFactor;

    @Option(names = "--again", description = "run policies again whose results are in --out already")
    private boolean again;

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
                Values.firstRound(firstRound),
                costs.of(rules));
        Trace read = Traces.read(
                format, trace, ClusterReader.read(cluster), new Experiment(seed, Values.load(load)), skipBadRows);
        Workload workload = read.workload();
        SimCluster nodes = workload.cluster();
        OfferedLoad offered = new OfferedLoad(nodes, workload.jobs());
        List<TraceJob> list = workload.jobs();
        if (loadFactor != null) {
            list = offered.scaled(list, Values.loadFactor(loadFactor));
            offered = new OfferedLoad(nodes, list);
        }
        err.printf(
                Locale.ROOT,
                "%,d jobs of %s on %s: %,d nodes, %,d GPUs%n%s%n",
                list.size(),
                trace.getFileName(),
                nodes.name(),
                nodes.nodes(),
                nodes.capacity().gpus(),
                LoadTable.of(offered));
        read.notes().forEach(err::println);
        err.flush();
        Simulation simulation = new Simulation(workload.withJobs(list), options);
        // A wrong name is not to be found after hours.
        policies.forEach(simulation::check);
        OutputDirectory directory = new OutputDirectory(out);
        FinishedPolicies finished = new FinishedPolicies(out, inputs(), decisive(options));
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
        KeptRuns kept = new KeptRuns(out.resolve(FinishedPolicies.FOLDER));
        for (String policy : new LinkedHashSet<>(policies)) {
            Optional<Summary> before = again ? Optional.empty() : finished.find(policy);
            RunLog known = new RunLog(nodes, list);
            if (before.isPresent() && (pages.isEmpty() || kept.find(policy, known))) {
                err.println(policy + ": done before, its results are in " + out + " (--again runs it once more)");
                directory.add(before.get());
                summaries.add(before.get());
                pages.ifPresent(page -> page.add(before.get(), known).forEach(err::println));
                continue;
            }
            Heap.reset();
            ProgressLine progress = new ProgressLine(err, Boolean.getBoolean("treadle.terminal"), policy, list.size());
            RunLog log = new RunLog(nodes, list);
            Outcome outcome = simulation.run(policy, progress, pages.isPresent() ? log : Journal.NONE);
            progress.done();
            Summary summary = Summary.of(outcome, Heap.peakMb());
            directory.add(outcome, summary);
            pages.ifPresent(page -> {
                page.add(summary, log).forEach(err::println);
                kept.add(policy, log);
            });
            finished.add(summary);
            summaries.add(summary);
        }
        pages.ifPresent(Report::write);
        spec.commandLine().getOut().print(SummaryTable.of(summaries));
        spec.commandLine().getOut().println("written to " + out);
        spec.commandLine().getOut().flush();
        read.skipped().forEach(err::println);
        err.flush();
        return 0;
    }

    private List<Path> inputs() {
        Path nodes = Path.of(cluster);
        return Files.isRegularFile(nodes) ? List.of(trace, nodes) : List.of(trace);
    }

    /** All that decides the results beside the files and the policy. */
    private String decisive(SimulationOptions options) {
        return String.join(
                " ",
                options.toString(),
                format,
                cluster,
                String.valueOf(loadFactor),
                String.valueOf(load),
                String.valueOf(seed),
                String.valueOf(skipBadRows),
                System.getProperty("treadle.build", ""));
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
        words.addAll(CostOptions.words(options.costs()));
        if (!options.measured().equals(MeasuredJobs.ALL)) {
            words.add("--jobs " + options.measured().from() + ":"
                    + options.measured().to());
        }
        return String.join(" ", words);
    }
}
