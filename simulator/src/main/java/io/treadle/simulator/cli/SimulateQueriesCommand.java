// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.core.query.Dispatchers;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.QuerySettings;
import io.treadle.simulator.query.engine.QuerySimulation;
import io.treadle.simulator.query.engine.Request;
import io.treadle.simulator.query.input.Rate;
import io.treadle.simulator.query.result.QueryFiles;
import io.treadle.simulator.query.result.QueryPage;
import io.treadle.simulator.query.result.QuerySummary;
import io.treadle.simulator.query.result.QueryTable;
import io.treadle.simulator.query.result.WorkerPower;
import java.io.PrintWriter;
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

/** {@code treadle simulate --workflows}. */
@Command(
        name = "simulate",
        description = "Simulates queries of several steps on GPU workers that keep models, under compass and what it is"
                + " compared to. (Without --workflows: training jobs on a cluster.)",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class SimulateQueriesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private RequestOptions requests;

    @Option(
            names = "--policy",
            required = true,
            split = ",",
            paramLabel = "P",
            description = "policies to compare: compass, jit, heft, hash")
    private List<String> policies;

    @Mixin
    private QueryOptions options;

    @Option(
            names = "--warmup",
            defaultValue = "0",
            paramLabel = "N",
            description = "leave the first N requests out of latencies (default: ${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--power",
            paramLabel = "IDLE/BUSY",
            description = "watts that a worker draws while it runs no task, and while it runs one: gives energy")
    private @Nullable String power;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the results go")
    private Path out;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        QuerySettings settings = options.settings();
        Optional<WorkerPower> watts = power == null ? Optional.empty() : Optional.of(watts(power));
        List<Request> all = requests.read(settings.workers());
        check(all, settings);
        String words = String.format(
                        Locale.ROOT,
                        "%,d requests, %.3g a second on average%s; ",
                        all.size(),
                        Rate.perSecond(all),
                        warmup == 0 ? "" : ", of which the first " + warmup + " are not in latencies")
                + options.words(settings);
        err.println(words);
        err.flush();
        QueryFiles files = new QueryFiles(out);
        List<QueryRun> runs = new ArrayList<>();
        List<QuerySummary> summaries = new ArrayList<>();
        ProgressLines progress = new ProgressLines(err);
        for (String policy : new LinkedHashSet<>(policies)) {
            QueryRun run = QuerySimulation.run(all, policy, settings, progress.begins(policy, all.size()));
            progress.done();
            QuerySummary summary = QuerySummary.of(run, warmup, watts);
            files.add(run, summary);
            runs.add(run);
            summaries.add(summary);
        }
        files.page(new QueryPage(runs, summaries, warmup).html(words));
        PrintWriter text = spec.commandLine().getOut();
        text.print(QueryTable.of(summaries));
        text.println("written to " + out);
        text.flush();
        return 0;
    }

    /** Nothing of this is to be found after the first policy has run. */
    private void check(List<Request> all, QuerySettings settings) {
        for (String policy : policies) {
            if (!Dispatchers.NAMES.contains(policy)) {
                throw new InputException("--policy has '" + policy + "', must be one of "
                        + String.join(", ", Dispatchers.NAMES) + " where queries are simulated.");
            }
        }
        if (warmup < 0 || warmup >= all.size()) {
            throw new InputException("--warmup is '" + warmup + "', must be from 0 to " + (all.size() - 1)
                    + ": there are " + all.size() + " requests.");
        }
        try {
            QuerySimulation.check(all, settings);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage() + ".", e);
        }
    }

    private static WorkerPower watts(String text) {
        String[] parts = text.split("/", -1);
        try {
            if (parts.length == 2) {
                return new WorkerPower(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new InputException("--power is '" + text
                + "', must be watts of a worker that is idle and of one that is busy, such as 10/70.");
    }
}
