// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.demo.DemoException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A {@link NodeProcess} that was started from here. */
final class Measured implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path log;
    private final BufferedReader output;

    private Measured(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * With a JVM's usual compiler and collector, as a NodeManager has.
     *
     * @param log where it writes what is wrong
     * @throws DemoException if it cannot be started
     */
    static Measured start(NodeProcess.Request request, Path log) {
        try {
            Files.createDirectories(Path.of(request.directory()));
            return new Measured(
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Dlog4j.configuration=command-log4j.properties",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    NodeProcess.class.getName(),
                                    JSON.writeValueAsString(request))
                            .redirectError(log.toFile())
                            .start(),
                    log);
        } catch (IOException e) {
            throw new DemoException("cannot measure in a JVM of its own: " + e.getMessage() + ".", e);
        }
    }

    /** Waits until it has warmed up. */
    void begins() {
        String said = line();
        if (!said.equals(NodeProcess.BEGINS)) {
            throw new DemoException("a process that is measured says '" + said + "', must be '" + NodeProcess.BEGINS
                    + "'.\nMaybe " + log + " says why.");
        }
    }

    /** Waits for what it has taken. */
    CpuTimes times() {
        String said = line();
        try {
            return JSON.readValue(said, CpuTimes.class);
        } catch (IOException e) {
            throw new DemoException("a process that is measured says '" + said + "', must be CPU times.", e);
        }
    }

    private String line() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new DemoException("a process that is measured has ended.\nMaybe " + log + " says why.");
            }
            return line;
        } catch (IOException e) {
            throw new DemoException("a process that is measured cannot be heard: " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
