// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A JVM of its own, which can be killed and started again. What it prints is appended to one log. */
final class JavaProcess {
    private static final int TAIL = 60;

    private final String name;
    private final List<String> command;
    private final Path directory;
    private final Path log;
    private final Map<String, String> variables = new HashMap<>();
    private @Nullable Process process;

    /** @param directory working directory; the log lies beside it */
    JavaProcess(String name, Path directory, String classPath, String... mainAndArguments) {
        this.name = name;
        this.directory = directory;
        this.log = directory.resolveSibling(name + ".log");
        this.command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx300m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                classPath));
        command.addAll(List.of(mainAndArguments));
    }

    /** For the JVM itself; of options that contradict each other the last one holds. */
    JavaProcess withJvmOptions(String... options) {
        command.addAll(command.indexOf("-cp"), List.of(options));
        return this;
    }

    /** Before its start: who it is to Hadoop, where that does not ask for proof. */
    JavaProcess as(String user) {
        variables.put("HADOOP_USER_NAME", user);
        return this;
    }

    /** Before its start: a variable of its environment. */
    JavaProcess with(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    void start() throws IOException {
        Files.createDirectories(directory);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(variables);
        process = builder.start();
    }

    long pid() {
        return started().pid();
    }

    /** A line that starts it in a shell's background, with the same log. */
    String inShell() {
        return "cd '" + directory + "' && JAVA_HOME='" + System.getProperty("java.home") + "' setsid '"
                + String.join("' '", command) + "' </dev/null >>'" + log + "' 2>&1 &";
    }

    /** @param name such as {@code TERM} or {@code STOP} */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder(
                        "kill", "-" + name, Long.toString(started().pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("SIG" + name + " cannot be sent to " + this.name);
        }
    }

    /** Whether it has the file open now. */
    boolean hasOpen(Path file) throws IOException {
        try (Stream<Path> open =
                Files.list(Path.of("/proc", Long.toString(started().pid()), "fd"))) {
            for (Path descriptor : open.toList()) {
                if (Files.readSymbolicLink(descriptor).equals(file)) {
                    return true;
                }
            }
            return false;
        }
    }

    private Process started() {
        return Optional.ofNullable(process).orElseThrow();
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        started().destroyForcibly().waitFor();
    }

    void killIfStarted() {
        Optional.ofNullable(process).ifPresent(Process::destroyForcibly);
    }

    void checkAlive() {
        if (!started().isAlive()) {
            throw new Await.HopelessException(
                    name + " has ended with " + started().exitValue() + ", last of its log:\n" + tail());
        }
    }

    boolean hasEnded() {
        return !started().isAlive();
    }

    /** Waits for the process's own end. */
    int exitCode() {
        return Await.value(
                "end of " + name,
                () -> started().isAlive()
                        ? Optional.empty()
                        : Optional.of(started().exitValue()));
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    String tail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }
}
