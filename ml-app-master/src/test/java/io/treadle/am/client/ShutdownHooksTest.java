// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.util.ShutdownHookManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's hooks at the real end of a process, which is another one than this. */
class ShutdownHooksTest {
    /** Its main method is what the other process runs. */
    static final class Ending {
        private Ending() {}

        public static void main(String[] args) {
            switch (args[0]) {
                case "early" -> add();
                case "taken back" -> add().close();
                case "late" -> ShutdownHookManager.get().addShutdownHook(Ending::add, 100);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }

        private static ShutdownHooks.Registration add() {
            return ShutdownHooks.hadoop().add(() -> System.out.println("hook"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"early", "late"})
    void aHookRunsHoweverLateItComes(String when) throws Exception {
        assertEquals("hook", printedBy(when));
    }

    @Test
    void aHookThatWasTakenBackDoesNotRun() throws Exception {
        assertEquals("", printedBy("taken back"));
    }

    private static String printedBy(String when) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName(),
                        when)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, process.waitFor());
        return printed;
    }
}
