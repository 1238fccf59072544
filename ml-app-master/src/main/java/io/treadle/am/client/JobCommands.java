// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.cli.LogsCLI;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebServiceClient;

/** Commands on jobs that are there already. */
final class JobCommands {
    /** Most columns of a paragraph, which is easy to read and fits most terminals. */
    private static final int WIDTH = 96;

    private static final long TOP_INTERVAL_MS = 2000;

    private final TreadleClient client;
    private final Console console;

    JobCommands(TreadleClient client, Console console) {
        this.client = client;
        this.console = console;
    }

    static ApplicationId idIn(List<String> words) {
        if (words.size() != 1) {
            throw new UsageException(
                    words.isEmpty()
                            ? "there is no application id, must be one, such as application_1700000000000_0001.\n"
                                    + "Maybe one of those that 'top' lists."
                            : "there are " + words.size() + " application ids: " + String.join(", ", words)
                                    + "; must be one.");
        }
        try {
            return ApplicationId.fromString(words.get(0));
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "'" + words.get(0) + "' is no application id, must read like application_1700000000000_0001");
        }
    }

    int status(ApplicationId id) {
        JobStatus status = client.status(id);
        checkMayView(status);
        line("application", id.toString());
        line("name", status.name());
        line("user", status.user());
        line("queue", status.queue());
        line("state", status.state().name());
        line("final status", status.finalStatus().name());
        line("progress", Math.round(status.progress() * 100) + " %");
        line("energy", status.master().map(MasterStatus::energy).orElse(""));
        line("page", status.trackingUrl());
        line("diagnostics", status.diagnostics());
        status.master().ifPresent(master -> console.out().println(master.json()));
        return Cli.OK;
    }

    private void line(String name, String value) {
        if (!value.isEmpty()) {
            console.out().printf("%-13s %s%n", name, value.replace("\n", "\n" + " ".repeat(14)));
        }
    }

    /**
     * Hadoop's own reader: aggregated logs of jobs that are over, and the nodes' of those that run.
     *
     * @param all every file of every container, instead of what the workers printed
     */
    static int logs(Configuration conf, Console console, ApplicationId id, boolean all) {
        List<String> arguments = new ArrayList<>(List.of("-applicationId", id.toString()));
        if (!all) {
            arguments.addAll(List.of("-log_files", "stdout,stderr"));
        }
        LogsCLI logs = new LogsCLI();
        logs.setConf(conf);
        try {
            WebServiceClient.initialize(conf);
            if (console.showLogs(() -> logs.run(arguments.toArray(String[]::new))) == 0) {
                return Cli.OK;
            }
        } catch (Exception e) {
            throw new ClientException("the logs of " + id + " cannot be read: " + Causes.message(e), e);
        } finally {
            WebServiceClient.destroy();
        }
        boolean kept = conf.getBoolean(
                YarnConfiguration.LOG_AGGREGATION_ENABLED, YarnConfiguration.DEFAULT_LOG_AGGREGATION_ENABLED);
        console.err()
                .println("treadle: there are no such logs of " + id + ".\nMaybe "
                        + (kept
                                ? "they are still being collected, or '--all' shows more than the workers'" + " output."
                                : "the cluster keeps none of jobs that are over: yarn.log-aggregation-enable"
                                        + " is false here."));
        return Cli.FAILED;
    }

    int kill(ApplicationId id) {
        JobStatus status = client.status(id);
        if (status.isOver()) {
            client.removeLeftovers(id, status.succeeded());
            console.err()
                    .println(id + " is over already: " + status.state().name().toLowerCase(Locale.ROOT));
            return Cli.OK;
        }
        client.kill(id);
        console.err().println(id + " is killed");
        return Cli.OK;
    }

    /** @throws ClientException if the caller may not view the job */
    int explain(ApplicationId id) {
        JobStatus status = client.status(id);
        checkMayView(status);
        if (status.isOver()) {
            heading(status, "over, " + status.finalStatus().name().toLowerCase(Locale.ROOT));
            status.diagnostics().lines().forEach(this::paragraph);
            return Cli.OK;
        }
        SchedulerAnswer<ScheduledJob> answer = client.scheduler().job(id);
        if (!answer.mayView()) {
            throw mayNotView(status);
        }
        heading(status, ProgressPrinter.stateOf(status));
        answer.found().ifPresentOrElse(this::reason, () -> yarnsReason(status, answer.trouble()));
        client.scheduler().certificates(status.queue()).forEach(this::paragraph);
        status.master()
                .map(MasterStatus::note)
                .filter(note -> !note.isEmpty() && !note.equals("training"))
                .ifPresent(note -> paragraph("Its ApplicationMaster says: " + note));
        return Cli.OK;
    }

    private void heading(JobStatus status, String state) {
        console.out().println(status.name() + " (" + status.queue() + "): " + state);
    }

    private void reason(ScheduledJob job) {
        if (job.reason().isEmpty()) {
            paragraph("the scheduler gives no reason for which it would wait");
        } else {
            job.reason().lines().forEach(this::paragraph);
            job.start(ZonedDateTime.now()).ifPresent(this::paragraph);
        }
    }

    /** @param trouble why the scheduler says nothing */
    private void yarnsReason(JobStatus status, String trouble) {
        String diagnostics = status.hidesReason() ? "" : status.diagnostics();
        diagnostics.lines().forEach(this::paragraph);
        paragraph((diagnostics.isEmpty() ? "no reason is known: " : "that is all that YARN knows: ") + trouble + ".");
    }

    private static void checkMayView(JobStatus status) {
        if (!status.mayView()) {
            throw mayNotView(status);
        }
    }

    private static ClientException mayNotView(JobStatus status) {
        return new ClientException("you may not view " + status.id() + ", a job of user '" + status.user()
                + "' in queue '" + status.queue() + "'.\nMaybe its owner, or who administers the queue, can tell you.");
    }

    /** Indented; on a terminal broken between words. */
    private void paragraph(String text) {
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (console.terminal() && !line.isEmpty() && line.length() + word.length() >= WIDTH) {
                console.out().println(line);
                line.setLength(0);
                line.append(' ');
            }
            line.append(' ').append(word);
        }
        console.out().println(line);
    }

    /** All jobs that are not over: again and again on a terminal, else once. */
    int top() throws InterruptedException {
        while (true) {
            if (console.terminal()) {
                // Home, then erase the screen.
                console.out().command("\u001b[H\u001b[2J");
            }
            new TopTable(client, console).print();
            if (!console.terminal()) {
                return Cli.OK;
            }
            Thread.sleep(TOP_INTERVAL_MS);
        }
    }
}
