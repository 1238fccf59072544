// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * One start of the user's command, in a process group of its own under a small shell. A guardian beside it reads signal
 * names from a pipe that the runner holds: it passes them to the worker's group, and when the pipe closes, because the
 * runner ended or was killed, it ends the group. So no worker outlives its container, even after {@code kill -9}. The
 * shell itself waits SIGTERM out, which the node sends to the whole container.
 */
final class WorkerProcess {
    // The shell's own stderr is closed off: its notices of ended jobs are not the worker's.
    // $1 command, $2 cpu cgroup or "", $3 tenths of a second that the guardian leaves the worker.
    private static final String LAUNCH =
            """
            run='if [ -n "$2" ]; then echo $$ > "$2/cgroup.procs" || echo "treadle: cannot enter $2" >&2; fi; exec bash -c "$1"'
            guard='while read -r signal; do kill -s "$signal" -- "-$1" 2>/dev/null; done
            kill -s TERM -- "-$1" 2>/dev/null
            i=0; while [ $i -lt "$2" ] && kill -0 -- "-$1" 2>/dev/null; do sleep 0.1; i=$((i+1)); done
            kill -s KILL -- "-$1" 2>/dev/null'
            exec 3<&0 4>&2 2>/dev/null
            if command -v setsid >/dev/null; then own=setsid; else own=; set -m; fi
            $own bash -c "$run" treadle-worker "$1" "$2" </dev/null 3<&- 2>&4 4>&- &
            worker=$!
            $own bash -c "$guard" treadle-guard "$worker" "$3" <&3 3<&- 4>&- >/dev/null 2>&1 &
            guardian=$!
            exec 3<&-
            trap : TERM
            while :; do wait $worker; code=$?; kill -0 $worker 2>/dev/null || break; done
            kill -s KILL -- "-$worker" 2>/dev/null
            kill -s KILL $guardian 2>/dev/null
            exit $code
            """;

    private static final int GUARDIAN_TENTHS = 20;

    private final Process shell;
    private final OutputStream signals;
    private final Path stderr;
    private final long stderrStart;
    private final long startedNanos = System.nanoTime();

    private WorkerProcess(Process shell, Path stderr, long stderrStart) {
        this.shell = shell;
        this.signals = shell.getOutputStream();
        this.stderr = stderr;
        this.stderrStart = stderrStart;
    }

    /** @throws IOException if no shell can be started */
    static WorkerProcess start(
            String command, Map<String, String> environment, Path workDir, Path logDir, Optional<Path> cgroup)
            throws IOException {
        Files.createDirectories(logDir);
        Path stderr = logDir.resolve("stderr");
        long stderrStart = Files.exists(stderr) ? Files.size(stderr) : 0;
        ProcessBuilder builder = new ProcessBuilder(
                "bash",
                "-c",
                LAUNCH,
                "treadle-launch",
                command,
                cgroup.map(Path::toString).orElse(""),
                Integer.toString(GUARDIAN_TENTHS));
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.directory(workDir.toFile());
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(logDir.resolve("stdout").toFile()));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(stderr.toFile()));
        return new WorkerProcess(builder.start(), stderr, stderrStart);
    }

    boolean alive() {
        return shell.isAlive();
    }

    ProcessHandle handle() {
        return shell.toHandle();
    }

    /** As a shell gives it; empty while the worker runs. */
    OptionalInt exitCode() {
        return shell.isAlive() ? OptionalInt.empty() : OptionalInt.of(shell.exitValue());
    }

    double ranSeconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    List<String> stderrTail() {
        return LastLines.of(stderr, stderrStart, 20);
    }

    /** Sends a signal to every process of the worker, without waiting. */
    void signal(String name) {
        try {
            signals.write((name + "\n").getBytes(StandardCharsets.US_ASCII));
            signals.flush();
        } catch (IOException e) {
            RunnerLog.say("signal " + name + " came too late: the worker has ended");
        }
    }

    /** Ends the worker: SIGTERM, and SIGKILL after the grace. Returns when no process of it is left. */
    void stop(Duration grace) throws InterruptedException {
        signal("TERM");
        if (!shell.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
            RunnerLog.say("the worker did not end within " + grace.toSeconds() + " s of SIGTERM: SIGKILL");
            signal("KILL");
            if (!shell.waitFor(5, TimeUnit.SECONDS)) {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
                shell.destroyForcibly().waitFor();
            }
        }
    }
}
