// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import java.time.InstantSource;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Submits a job and follows it. */
final class SubmitCommand {
    private final TreadleClient client;
    private final Console console;
    private final ShutdownHooks hooks;
    private final InstantSource clock;

    SubmitCommand(TreadleClient client, Console console, ShutdownHooks hooks, InstantSource clock) {
        this.client = client;
        this.console = console;
        this.hooks = hooks;
        this.clock = clock;
    }

    int run(SubmitRequest request) throws InterruptedException {
        JobSpec spec = request.spec();
        if (request.dryRun()) {
            console.out().print(JobSpecParser.toJson(spec));
            client.check(spec);
            console.err().println("ok: the cluster can run this job, " + describe(spec) + "; nothing was submitted");
            return Cli.OK;
        }
        ApplicationId id = client.submit(spec);
        if (request.detach()) {
            console.out().println(id);
            return Cli.OK;
        }
        console.err().println(id + " accepted: " + spec.name() + ", " + describe(spec));
        return follow(id);
    }

    private static String describe(JobSpec spec) {
        return spec.groups().stream()
                .map(group -> (group.min() < group.count() ? group.min() + " to " : "") + group.count() + " "
                        + group.name() + (group.count() == 1 ? "" : "s") + " × ("
                        + YarnResources.perTask(group).describe() + ")")
                .collect(Collectors.joining(" + "));
    }

    private int follow(ApplicationId id) throws InterruptedException {
        ProgressPrinter progress = new ProgressPrinter(console, clock);
        JobStatus last;
        try (ShutdownHooks.Registration hook = hooks.add(() -> goesOn(id, progress))) {
            last = client.follow(id, progress);
        }
        return end(last);
    }

    private void goesOn(ApplicationId id, ProgressPrinter progress) {
        progress.closeLine();
        console.err().println(id + " goes on without this command.\nMaybe kill it: yarn jar treadle-am.jar kill " + id);
    }

    private int end(JobStatus status) {
        String took = Durations.clock(status.finishedMs() - status.startedMs());
        if (status.succeeded()) {
            console.err().println(status.id() + " succeeded after " + took);
            return Cli.OK;
        }
        String how = status.state().name().equals("FINISHED")
                ? status.finalStatus().name()
                : status.state().name();
        console.err()
                .println("treadle: " + status.id() + " " + how.toLowerCase(java.util.Locale.ROOT) + " after " + took
                        + (status.diagnostics().isEmpty() ? "." : ":\n" + status.diagnostics()));
        console.err().println("Maybe its logs say more: yarn jar treadle-am.jar logs " + status.id());
        return Cli.FAILED;
    }
}
