// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.demo.DemoException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A {@link ManagerProcess} that was started from here, with the collector and the compiler that a JVM has by default. It stands
 * still while it has nothing to do: its threads would allocate and plan while another is measured.
 */
final class ManagerChild implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path log;
    private final BufferedWriter orders;
    private final BufferedReader answers;

    private ManagerChild(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        // A process that stands still would outlive this one.
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "kill-measured"));
    }

    /**
     * @param directory for its files and what it says
     * @param heapMiB all of which is touched at once
     * @throws DemoException if it cannot be started
     */
    static ManagerChild start(Path directory, int heapMiB) {
        try {
            Files.createDirectories(directory);
            Path log = directory.resolve("log");
            return new ManagerChild(
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xms" + heapMiB + "m",
                                    "-Xmx" + heapMiB + "m",
                                    // Else where the pages of a heap come to lie makes a process a sixth slower, for
                                    // minutes.
                                    "-XX:+AlwaysPreTouch",
                                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                    "-Dlog4j.configuration=command-log4j.properties",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    ManagerProcess.class.getName(),
                                    directory.toAbsolutePath().toString())
                            .redirectError(log.toFile())
                            .start(),
                    log);
        } catch (IOException e) {
            throw new DemoException("cannot measure in a JVM of its own: " + e.getMessage() + ".", e);
        }
    }

    /** @throws DemoException if the process fails, with where it says why */
    Answer ask(Order order) {
        order(order);
        return answer();
    }

    /** Lets it begin, and waits for nothing: {@link #answer} has to follow. */
    void order(Order order) {
        signal("CONT");
        try {
            orders.write(JSON.writeValueAsString(order) + "\n");
            orders.flush();
        } catch (IOException e) {
            throw unheard(e);
        }
    }

    /** Waits until what was ordered last is done. */
    Answer answer() {
        try {
            String line = answers.readLine();
            if (line != null) {
                return JSON.readValue(line, Answer.class);
            }
        } catch (IOException e) {
            throw unheard(e);
        } finally {
            signal("STOP");
        }
        throw new DemoException("a process that is measured has ended.\nMaybe " + log + " says why.");
    }

    private DemoException unheard(IOException e) {
        return new DemoException(
                "a process that is measured cannot be heard: " + e.getMessage() + ".\nMaybe " + log + " says why.", e);
    }

    private void signal(String name) {
        if (!process.isAlive()) {
            // Its number may be another process's by now.
            return;
        }
        try {
            int unused = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new DemoException("cannot send a process that is measured a signal: " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
