// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Runs the Python helper's own tests. */
class PythonHelperTest {
    private static final Path MODULE = Path.of(System.getProperty("treadle.checkout", ".."), "ml-app-master")
            .toAbsolutePath();

    private static boolean pythonIsThere() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void helperPassesItsTests() throws IOException, InterruptedException {
        Assumptions.assumeTrue(pythonIsThere(), "no python3 on this machine: the Python helper is not tested");
        ProcessBuilder builder = new ProcessBuilder("python3", "-B", "-m", "unittest", "-v", "test_treadle_worker");
        builder.environment()
                .put("PYTHONPATH", MODULE.resolve("src/main/python") + ":" + MODULE.resolve("src/test/python"));
        builder.redirectErrorStream(true);
        Process python = builder.start();
        String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(python.waitFor(60, TimeUnit.SECONDS), output);
        assertEquals(0, python.exitValue(), output);
    }

    @Test
    void helperIsInTheJar() throws IOException {
        try (var helper = getClass().getClassLoader().getResourceAsStream("treadle_worker.py")) {
            assertTrue(helper != null && helper.readAllBytes().length > 1000);
        }
    }
}
