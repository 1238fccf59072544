// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.calibrate.CalibrationFiles;
import io.treadle.simulator.calibrate.CalibrationTable;
import io.treadle.simulator.engine.BudgetNotes;
import io.treadle.simulator.engine.QueueLoads;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.PolicyRuns;
import io.treadle.simulator.replay.Replay;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SummaryTable;
import io.treadle.simulator.trace.TraceJob;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle simulate}. */
@Command(
        name = "simulate",
        description = {
            "Replays a trace on a simulated cluster with the policies that the cluster runs.",
            "Queries of several steps on GPU workers have options of their own: treadle simulate --workflows FILE --help"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ReplayOptions jobsAndCluster;

    @Option(
            names = "--policy",
            required = true,
            split = ",",
            paramLabel = "P",
            description = "policies to compare, such as fifo,sjf,srtf+synergy-tune")
    private List<String> policies;

    @Mixin
    private EngineOptions engine;

    @Option(
            names = "--report",
            defaultValue = "on",
            paramLabel = "on|off",
            description = "whether to write report.html, event logs, Perfetto traces and tables of groups"
                    + " (default: ${DEFAULT-VALUE})")
    private String report;

    @Option(names = "--again", description = "run policies again whose results are in --out already")
    private boolean again;

    @Option(
            names = "--check",
            description = "hold each run to what must be true of it (capacity, whole gangs, work, Little's law, nobody"
                    + " waits for room that is there), and end at the first thing that is not; runs finished policies"
                    + " again")
    private boolean check;

    @Option(
            names = "--calibrate",
            description = "hold the replay against what really happened, where the trace says so, and say how far to"
                    + " trust it; writes calibration.json and calibration.csv")
    private boolean calibrate;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the results go")
    private Path out;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        boolean pages = Values.onOff("--report", report);
        SimulationOptions options = engine.options();
        Replay replay = jobsAndCluster.request().read();
        err.println(replay.heading());
        err.println(LoadTable.of(replay.offered()));
        err.print(QueueLoadTable.of(
                QueueLoads.of(replay.workload().cluster(), replay.workload().jobs())));
        replay.notes().forEach(err::println);
        BudgetNotes.of(replay.workload().cluster(), options).forEach(err::println);
        err.flush();
        PolicyRuns.check(replay, options, policies);
        if (calibrate) {
            checkHistory(replay);
        }
        PolicyRuns runs = new PolicyRuns(out, replay, options, new ProgressLines(err));
        List<Summary> summaries = (check ? runs.checked() : runs).run(policies, pages, again);
        PrintWriter text = spec.commandLine().getOut();
        text.print(SummaryTable.of(summaries));
        if (calibrate) {
            List<TraceJob> jobs = replay.workload().jobs();
            text.print(CalibrationTable.of(new CalibrationFiles(out, jobs).of(policies)));
        }
        text.println("written to " + out);
        text.flush();
        replay.skipped().forEach(err::println);
        err.flush();
        return 0;
    }

    /** That a history cannot be compared with is not to be found after hours. */
    private static void checkHistory(Replay replay) {
        if (replay.request().loadFactor().isPresent()) {
            throw new InputException(
                    "--calibrate compares with when jobs really ran, --load-factor moves them: give one of" + " them.");
        }
        CalibrationFiles.check(replay.workload().jobs());
    }
}
