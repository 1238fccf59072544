// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the Python helpers' own tests. */
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

    private static String run(Map<String, String> environment) throws IOException, InterruptedException {
        Assumptions.assumeTrue(pythonIsThere(), "no python3 on this machine: the Python helper is not tested");
        ProcessBuilder builder = new ProcessBuilder(
                "python3",
                "-B",
                "-m",
                "unittest",
                "-v",
                "test_treadle_worker",
                "test_treadle_cache",
                "test_treadle_cache_reading",
                "test_treadle_batches",
                "test_treadle_query");
        builder.environment()
                .put("PYTHONPATH", MODULE.resolve("src/main/python") + ":" + MODULE.resolve("src/test/python"));
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        Process python = builder.start();
        String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, python.waitFor(), output);
        return output;
    }

    /**
     * Hadoop's shell as an installation has it, from this JVM's class path, and a file system that only Hadoop can open:
     * {@code viewfs://shared/ck} is a directory here.
     */
    @Test
    void helperPassesItsTestsAlsoWhereHadoopHoldsTheCheckpoints(@TempDir Path home) throws Exception {
        Path conf = Files.createDirectory(home.resolve("conf"));
        Files.writeString(
                conf.resolve("core-site.xml"),
                """
                <configuration>
                  <property><name>fs.viewfs.mounttable.shared.link./ck</name><value>%s</value></property>
                </configuration>
                """
                        .formatted(Files.createDirectory(home.resolve("ck")).toUri()));
        Path hadoop = Files.createDirectory(home.resolve("bin")).resolve("hadoop");
        Files.writeString(
                hadoop,
                """
                #!/bin/sh
                [ "$1" = fs ] || exit 2
                shift
                exec '%s/bin/java' -Xshare:auto -XX:TieredStopAtLevel=1 -cp '%s:%s' org.apache.hadoop.fs.FsShell "$@"
                """
                        .formatted(System.getProperty("java.home"), conf, System.getProperty("java.class.path")));
        assertTrue(hadoop.toFile().setExecutable(true));
        String output = run(Map.of("TREADLE_TEST_HADOOP_HOME", home.toString()));
        assertFalse(output.contains("skipped"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"treadle_worker.py", "treadle_cache.py", "treadle_batches.py", "treadle_query.py"})
    void helpersAreInTheJar(String name) throws IOException {
        try (var helper = getClass().getClassLoader().getResourceAsStream(name)) {
            assertTrue(helper != null && helper.readAllBytes().length > 1000);
        }
    }
}
