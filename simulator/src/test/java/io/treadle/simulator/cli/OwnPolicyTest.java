// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.guide.ExamplePolicies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies from a jar: those of docs/guide/own-policy.md, and some that are wrong. */
class OwnPolicyTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "own-policy.md");

    private static Path classes;
    private static Path jar;

    private final Path directory;
    private final StringWriter said = new StringWriter();

    OwnPolicyTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        Files.writeString(directory.resolve("nodes.csv"), "vc,node_num\nml,1\n");
        // While `first` runs to 1,000 s the others come. Then, ratios: old (950 + 500) / 500 = 2.9, new (10 + 100) /
        // 100
        // = 1.1: hrrn takes old, sjf takes new.
        Files.writeString(
                directory.resolve("jobs.csv"),
                """
                job_id,queue,submit_s,duration_s,gpus
                first,ml,0,1000,4
                old,ml,50,500,8
                new,ml,990,100,8
                """);
    }

    @org.junit.jupiter.api.BeforeAll
    static void makesTheJar(@TempDir Path shared) throws IOException {
        classes = ExamplePolicies.compile(GUIDE, shared);
        jar = ExamplePolicies.jar(classes, "org.example.ExamplePlugin", shared.resolve("example-policies.jar"));
    }

    private int simulate(Path plugin, String policy, String... more) {
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        List<String> fixed = List.of(
                "simulate",
                "--trace",
                directory.resolve("jobs.csv").toString(),
                "--cluster",
                directory.resolve("nodes.csv").toString(),
                "--out",
                directory.resolve("out").toString(),
                "--plugin",
                plugin.toString(),
                "--policy",
                policy);
        return SimulatorMain.run(
                writer, writer, Stream.concat(fixed.stream(), Stream.of(more)).toArray(String[]::new));
    }

    /** Start of each job, s. */
    private List<String> starts(String policy) throws IOException {
        return Files.readAllLines(directory.resolve("out/jobs-" + policy + ".csv")).stream()
                .skip(1)
                .map(row -> row.split(",", -1)[4])
                .toList();
    }

    @Test
    void anOrderFromAJarDecides() throws IOException {
        assertEquals(0, simulate(jar, "hrrn,hrrn+synergy-tune,sjf"), said::toString);
        assertEquals(List.of("0", "1000", "1500"), starts("hrrn"));
        assertEquals(List.of("0", "1000", "1500"), starts("hrrn+synergy-tune"));
        assertEquals(List.of("0", "1100", "1000"), starts("sjf"));
    }

    @Test
    void aWholePolicyFromAJarDecides() throws IOException {
        Files.writeString(
                directory.resolve("jobs.csv"), "job_id,queue,submit_s,duration_s,gpus\na,ml,0,10,1\nb,ml,0,5,1\n");
        assertEquals(0, simulate(jar, "one-at-a-time"), said::toString);
        assertEquals(List.of("0", "10"), starts("one-at-a-time"));
    }

    @Test
    void theGuidesOwnTestPasses() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Constructor<?> constructor =
                    loader.loadClass("org.example.HrrnTest").getDeclaredConstructor();
            constructor.setAccessible(true);
            int tests = 0;
            for (Method method : constructor.getDeclaringClass().getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    method.setAccessible(true);
                    method.invoke(constructor.newInstance());
                    tests++;
                }
            }
            assertEquals(1, tests);
        }
    }

    @Test
    void anotherJarOfTheSameNameRunsThePolicyAgain() throws IOException {
        assertEquals(0, simulate(jar, "hrrn"), said::toString);
        assertEquals(0, simulate(jar, "hrrn"), said::toString);
        assertTrue(said.toString().contains("done before"), said::toString);
        Path other = Files.createDirectory(directory.resolve("other")).resolve("example-policies.jar");
        ExamplePolicies.jar(classes, "org.example.ExamplePlugin", other);
        Files.write(other, new byte[] {0}, java.nio.file.StandardOpenOption.APPEND);
        assertEquals(0, simulate(other, "hrrn"), said::toString);
        assertTrue(!said.toString().contains("done before"), said::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hrrm | unknown order 'hrrm', must be one of fifo",
                "one-at-a-time+synergy-tune | unknown order 'one-at-a-time'",
            })
    void aNameThatIsNowhereIsNamed(String policy, String message) {
        assertEquals(2, simulate(jar, policy));
        assertTrue(said.toString().contains(message), said::toString);
    }

    @Test
    void jobsOfAWholePolicyMoveToo() {
        assertEquals(0, simulate(jar, "one-at-a-time", "--migration", "on", "--check"), said::toString);
    }

    @Test
    void aWholePolicyHasNoPreemptionOfOurs() {
        assertEquals(2, simulate(jar, "one-at-a-time", "--preemption", "on"));
        assertTrue(said.toString().contains("'one-at-a-time' decides itself what makes way"), said::toString);
    }

    @Test
    void jarsThatCannotBeUsedAreNamed() throws IOException {
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        assertEquals(2, simulate(text, "fifo"));
        assertTrue(
                said.toString().contains("text.jar', must be a jar with a policy: it cannot be read"), said::toString);
        assertEquals(2, simulate(directory.resolve("none.jar"), "fifo"));
        assertTrue(said.toString().contains("none.jar'"), said::toString);
        Path missing = ExamplePolicies.jar(classes, "org.example.Missing", directory.resolve("missing.jar"));
        assertEquals(2, simulate(missing, "fifo"));
        assertTrue(said.toString().contains("org.example.Missing"), said::toString);
        Path noPlugin = ExamplePolicies.jar(classes, "org.example.Hrrn", directory.resolve("no-plugin.jar"));
        assertEquals(2, simulate(noPlugin, "fifo"));
        assertTrue(said.toString().contains("not a subtype"), said::toString);
    }

    @Test
    void twoJarsWithOneNameAreRefused() throws IOException {
        assertEquals(2, simulate(Path.of(jar + "," + jar), "hrrn"));
        assertTrue(said.toString().contains("order 'hrrn' is there already"), said::toString);
    }
}
