// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import static org.junit.jupiter.api.Assertions.fail;

import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.web.AmServer;
import io.treadle.am.web.RunnerCalls;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** An ApplicationMaster over real HTTP that answers every call with the directive it was last told. */
final class ScriptedMaster implements RunnerCalls, AutoCloseable {
    static final String SECRET = "s3cret-of-the-job";
    private static final long PATIENCE_SECONDS = 60;

    private final AmServer server;
    private final CopyOnWriteArrayList<RegisterMessage> registrations = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<ReportMessage> reports = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<FinishedMessage> finished = new CopyOnWriteArrayList<>();
    private volatile Directive directive = Directive.waitFor(1);
    private volatile boolean disowned;

    private ScriptedMaster(AmServer server) {
        this.server = server;
    }

    static ScriptedMaster start() throws IOException {
        AmServer server = AmServer.start(SECRET);
        ScriptedMaster master = new ScriptedMaster(server);
        server.serve(master);
        return master;
    }

    int port() {
        return server.port();
    }

    void say(Directive newDirective) {
        directive = newDirective;
    }

    void disown() {
        disowned = true;
    }

    @Override
    public Directive register(RegisterMessage message) throws RefusedException {
        if (disowned) {
            throw new RefusedException(RunnerProtocol.STATUS_GONE, "none of ours");
        }
        registrations.add(message);
        return directive;
    }

    @Override
    public Directive report(ReportMessage message) throws RefusedException {
        if (registrations.isEmpty()) {
            throw new RefusedException(RunnerProtocol.STATUS_REGISTER_FIRST, "register first");
        }
        reports.add(message);
        return directive;
    }

    @Override
    public Directive finished(FinishedMessage message) {
        finished.add(message);
        return directive;
    }

    int registrations() {
        return registrations.size();
    }

    int runnerPort() {
        return registrations.get(0).port();
    }

    int reports() {
        return reports.size();
    }

    int finishedCount() {
        return finished.size();
    }

    ReportMessage awaitReport(Predicate<ReportMessage> condition) throws Exception {
        await("a report", () -> reports.stream().anyMatch(condition));
        return reports.stream().filter(condition).reduce((a, b) -> b).orElseThrow();
    }

    FinishedMessage awaitFinished() throws Exception {
        await("the worker's end", () -> !finished.isEmpty());
        return finished.get(0);
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                fail(what + " did not come within " + PATIENCE_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
