// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures in a JVM of its own: one processor, the serial collector and a heap of a stated size. */
public final class ChildJvm {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ChildJvm() {}

    /**
     * @param heapMb what it may have
     * @throws InputException if it fails, with what it said
     */
    static Probed measure(ProbeRequest request, int heapMb) {
        return ask(
                Probe.class,
                request,
                Probed.class,
                List.of("-Xmx" + heapMb + "m"),
                "measuring " + request.policy() + " on " + request.trace() + " with " + heapMb + " MB of heap");
    }

    /**
     * Runs a program that takes its only argument as JSON and gives its answer so on standard output.
     *
     * @param heap options that say how large its heap is
     * @param what it does, for people
     * @throws InputException if it fails, with what it said
     */
    public static <A> A ask(Class<?> program, Object argument, Class<A> answer, List<String> heap, String what) {
        try {
            Process child = new ProcessBuilder(command(program, argument, heap))
                    .redirectError(ProcessBuilder.Redirect.PIPE)
                    .start();
            Thread reaper = new Thread(child::destroy);
            Runtime.getRuntime().addShutdownHook(reaper);
            try {
                child.getOutputStream().close();
                String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                String trouble = new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                if (child.waitFor() != 0) {
                    throw new InputException(what + " failed: " + trouble.strip());
                }
                return JSON.readValue(said, answer);
            } finally {
                child.destroy();
                Runtime.getRuntime().removeShutdownHook(reaper);
            }
        } catch (IOException e) {
            throw new InputException("cannot measure in a JVM of its own: " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InputException("interrupted.", e);
        }
    }

    private static List<String> command(Class<?> program, Object argument, List<String> heap) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(heap);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                JSON.writeValueAsString(argument)));
        return command;
    }
}
