// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import io.treadle.simulator.check.RunCheck;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MigrationJournal;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.report.KeptRuns;
import io.treadle.simulator.report.Report;
import io.treadle.simulator.report.ReportSubject;
import io.treadle.simulator.report.RunLog;
import io.treadle.simulator.result.FinishedPolicies;
import io.treadle.simulator.result.MigrationsFile;
import io.treadle.simulator.result.OutputDirectory;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.trace.TraceJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Runs policies one after the other on the same jobs; what an earlier call has finished is not run again. */
public final class PolicyRuns {
    private final Path out;
    private final Replay replay;
    private final SimulationOptions options;
    private final Watcher watcher;
    private final FinishedPolicies finished;
    private final KeptRuns kept;
    private final OutputDirectory directory;
    private boolean checked;

    /**
     * @param out where the results go
     * @throws InputException if the directory cannot be made
     */
    public PolicyRuns(Path out, Replay replay, SimulationOptions options, Watcher watcher) {
        this.out = out;
        this.replay = replay;
        this.options = options;
        this.watcher = watcher;
        directory = new OutputDirectory(out);
        finished = finished(out, replay.request(), options);
        kept = new KeptRuns(out.resolve(FinishedPolicies.FOLDER));
    }

    /** What earlier calls have finished there of the same, and need not be run again. */
    public static FinishedPolicies finished(Path out, ReplayRequest request, SimulationOptions options) {
        return new FinishedPolicies(out, request.fingerprint(options));
    }

    /**
     * What {@link #runAhead} writes for a policy, in the output directory; the last says that it is done.
     *
     * @param pages whether what the report needs is kept too
     */
    public static List<String> files(String policy, SimulationOptions options, boolean pages) {
        List<String> files = new ArrayList<>(List.of("jobs-" + policy + ".csv"));
        if (options.migrates()) {
            files.add("migrations-" + policy + ".csv");
        }
        String kept = FinishedPolicies.FOLDER + "/" + policy;
        if (pages) {
            files.add(kept + ".runs.gz");
        }
        files.add(kept + ".json");
        return files;
    }

    /** From now on each run is held to the rules of {@link RunCheck} as it goes. */
    public PolicyRuns checked() {
        checked = true;
        return this;
    }

    /**
     * @throws InputException if one of the policies, or the placement, does not exist: that is not to be found after
     *     hours
     */
    public static void check(Replay replay, SimulationOptions options, List<String> policies) {
        options.measured()
                .check(replay.workload().jobs().stream().map(TraceJob::id).toList());
        Simulation simulation = new Simulation(replay.workload(), options);
        policies.forEach(simulation::check);
    }

    /**
     * @param pages whether report, event logs, traces and tables of groups are written too
     * @param again whether to run also what is finished
     * @return one for each policy, in their order
     * @throws io.treadle.simulator.check.BrokenRuleException if a run that is checked breaks a rule
     */
    public List<Summary> run(List<String> policies, boolean pages, boolean again) {
        Simulation simulation = new Simulation(replay.workload(), options);
        LinkedHashSet<String> each = new LinkedHashSet<>(policies);
        Optional<Report> report = pages ? Optional.of(report(each.size())) : Optional.empty();
        List<Summary> summaries = new ArrayList<>();
        for (String policy : each) {
            RunLog log = log();
            Optional<Summary> before = again || checked ? Optional.empty() : finished.find(policy);
            if (before.isPresent() && (report.isEmpty() || kept.find(policy, log))) {
                watcher.says(policy + ": done before, its results are in " + out + " (--again runs it once more)");
                directory.add(before.get());
                report.ifPresent(page -> page.add(before.get(), log).forEach(watcher::says));
                summaries.add(before.get());
            } else {
                summaries.add(run(simulation, policy, report));
            }
        }
        report.ifPresent(Report::write);
        return summaries;
    }

    /**
     * Runs one policy, unless that is done, and keeps its results for {@link #run}, which then need not run it. Several
     * policies may run ahead at the same time.
     *
     * @param pages whether what the report needs is kept too
     * @param again whether to run also what is finished
     * @param own is told how far this run is, if there is one
     */
    public void runAhead(String policy, boolean pages, boolean again, Watcher own) {
        RunLog log = log();
        if (again || finished.find(policy).isEmpty() || (pages && !kept.find(policy, log))) {
            RunLog fresh = log();
            finished.add(simulate(new Simulation(replay.workload(), options), policy, pages, fresh, own));
        }
    }

    private Summary run(Simulation simulation, String policy, Optional<Report> report) {
        RunLog log = log();
        Summary summary = simulate(simulation, policy, report.isPresent(), log, watcher);
        directory.add(summary);
        report.ifPresent(page -> page.add(summary, log).forEach(watcher::says));
        finished.add(summary);
        return summary;
    }

    private Summary simulate(Simulation simulation, String policy, boolean pages, RunLog log, Watcher told) {
        Heap.reset();
        MigrationJournal moves = new MigrationJournal(replay.workload().cluster());
        Journal pagesOnly = pages ? log : Journal.NONE;
        Journal journal = options.migrates() ? pagesOnly.and(moves) : pagesOnly;
        Outcome outcome = checked ? checked(simulation, policy, journal, told) : run(simulation, policy, journal, told);
        Summary summary = Summary.of(outcome, Heap.peakMb());
        directory.write(outcome);
        if (options.migrates()) {
            directory.write(policy, moves.migrations());
            told.says(policy + ": " + MigrationsFile.words(moves.migrations()));
        }
        if (pages) {
            log.drew(outcome);
            kept.add(policy, log);
        }
        return summary;
    }

    private Outcome run(Simulation simulation, String policy, Journal journal, Watcher told) {
        Outcome outcome = simulation.run(
                policy, told.begins(policy, replay.workload().jobs().size()), journal);
        told.done();
        return outcome;
    }

    private Outcome checked(Simulation simulation, String policy, Journal journal, Watcher told) {
        RunCheck check = new RunCheck(replay.workload().cluster(), simulation.rules(policy));
        Outcome outcome = run(simulation, policy, check.and(journal), told);
        told.says(policy + " " + check.finish());
        return outcome;
    }

    private RunLog log() {
        return new RunLog(replay.workload().cluster(), replay.workload().jobs());
    }

    private Report report(int policies) {
        List<TraceJob> jobs = replay.workload().jobs();
        SimCluster cluster = replay.workload().cluster();
        return new Report(
                out,
                new ReportSubject(
                        String.valueOf(replay.request().trace().getFileName()),
                        cluster,
                        jobs,
                        job -> options.measured().contains(job.id()),
                        options.words(),
                        policies));
    }
}
