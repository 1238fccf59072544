// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Main class of a worker's container: asks the ApplicationMaster what should be so, brings the user's command there, and
 * reports on it. An ApplicationMaster that is away does not disturb the worker.
 */
public final class WorkerRunner {
    /** The ApplicationMaster was away for longer than a worker may go on without it. */
    static final int EXIT_ALONE = 3;

    private static final long TICK_MS = 200;
    private static final long REPORT_MS = 1_000;
    private static final long REPORT_WAITING_MS = 300;
    private static final long RETRY_MS = 1_500;

    private final RunnerEnvironment environment;
    private final AmCalls am;
    private final Supervisor supervisor;
    private final int announcePort;
    private boolean registered;
    private long nextCallNanos = System.nanoTime();
    private long lastAnswerNanos = System.nanoTime();

    WorkerRunner(RunnerEnvironment environment, AmCalls am, Supervisor supervisor, int announcePort) {
        this.environment = environment;
        this.am = am;
        this.supervisor = supervisor;
        this.announcePort = announcePort;
    }

    /** Runs until the ApplicationMaster says that it is over; returns the process's exit code. */
    int run() throws InterruptedException {
        while (true) {
            supervisor.observe(System.currentTimeMillis() / 1e3);
            if (System.nanoTime() - nextCallNanos >= 0
                    || (registered && (supervisor.finished().isPresent() || supervisor.hasOtherSizes()))) {
                boolean over = call();
                if (over) {
                    return 0;
                }
                if (System.nanoTime() - lastAnswerNanos
                        > environment.amTimeout().toNanos()) {
                    RunnerLog.say("no answer from the ApplicationMaster for "
                            + environment.amTimeout().toSeconds() + " s: the worker is stopped");
                    supervisor.shutDown();
                    return EXIT_ALONE;
                }
            }
            TimeUnit.MILLISECONDS.sleep(TICK_MS);
        }
    }

    private boolean call() throws InterruptedException {
        try {
            Directive directive = exchange();
            registered = true;
            lastAnswerNanos = System.nanoTime();
            nextCallNanos = lastAnswerNanos + nanos(supervisor.working() ? REPORT_MS : REPORT_WAITING_MS);
            follow(directive);
            return directive.desired() == Directive.Desired.EXIT;
        } catch (AmCalls.RegisterFirstException e) {
            registered = false;
            lastAnswerNanos = System.nanoTime();
            nextCallNanos = lastAnswerNanos;
        } catch (IOException | WireFormatException e) {
            if (registered) {
                RunnerLog.say("the ApplicationMaster cannot be reached, the worker goes on: " + e);
            }
            registered = false;
            nextCallNanos = System.nanoTime() + nanos(RETRY_MS);
        }
        return false;
    }

    private void follow(Directive directive) throws InterruptedException {
        try {
            supervisor.follow(directive);
        } catch (IOException e) {
            // The next answer says the same again.
            RunnerLog.say("what the ApplicationMaster says cannot be done now: " + e);
        }
    }

    private Directive exchange() throws IOException {
        if (!registered) {
            supervisor.tellAgain();
            return am.register(new RegisterMessage(environment.containerId(), environment.host(), announcePort));
        }
        Optional<FinishedMessage> finished = supervisor.finished();
        if (finished.isPresent()) {
            Directive directive = am.finished(finished.get());
            supervisor.finishedWasTaken();
            return directive;
        }
        return am.report(supervisor.report(System.currentTimeMillis() / 1e3));
    }

    private static long nanos(long milliseconds) {
        return Duration.ofMillis(milliseconds).toNanos();
    }

    public static void main(String[] args) throws InterruptedException {
        System.exit(start(System.getenv(), Path.of("").toAbsolutePath()));
    }

    private static int start(Map<String, String> given, Path workDir) throws InterruptedException {
        try {
            Map<String, String> variables = CpuGroup.usable(given);
            RunnerEnvironment environment = RunnerEnvironment.of(variables, workDir);
            AmClient am = new AmClient(environment.amAddress(), environment.secret());
            Supervisor supervisor = new Supervisor(environment, variables);
            Runtime.getRuntime().addShutdownHook(new Thread(supervisor::shutDown, "stop-worker"));
            try (AnnounceServer announce = AnnounceServer.start(environment.secret(), am::moveTo)) {
                return new WorkerRunner(environment, am, supervisor, announce.port()).run();
            }
        } catch (IOException | IllegalArgumentException e) {
            RunnerLog.say("the runner cannot start: " + e.getMessage());
            return 1;
        }
    }
}
