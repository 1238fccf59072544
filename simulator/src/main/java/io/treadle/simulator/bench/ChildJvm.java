// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Measures each simulation in a JVM of its own: one processor, the serial collector and a heap of a stated size. */
final class ChildJvm {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ChildJvm() {}

    /**
     * @param heapMb what it may have
     * @throws InputException if it fails, with what it said
     */
    static Probed measure(ProbeRequest request, int heapMb) {
        try {
            Process child = new ProcessBuilder(command(request, heapMb))
                    .redirectError(ProcessBuilder.Redirect.PIPE)
                    .start();
            Thread reaper = new Thread(child::destroy);
            Runtime.getRuntime().addShutdownHook(reaper);
            try {
                child.getOutputStream().close();
                String answer = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                String trouble = new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                if (child.waitFor() != 0) {
                    throw new InputException("measuring " + request.policy() + " on " + request.trace() + " with "
                            + heapMb + " MB of heap failed: " + trouble.strip());
                }
                return JSON.readValue(answer, Probed.class);
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

    private static List<String> command(ProbeRequest request, int heapMb) throws IOException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMb + "m",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=1",
                "-cp",
                System.getProperty("java.class.path"),
                Probe.class.getName(),
                JSON.writeValueAsString(request));
    }
}
