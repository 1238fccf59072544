// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.client.Main;
import io.treadle.demo.DemoMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as a person runs it: a process of its own, whole, with a cluster that is kept, used as it says, and ended by
 * a signal: SIGTERM goes the way of Ctrl-C, and is not ignored where the build runs in the background. How much sooner
 * jobs end is for the report to say, not for a test.
 */
class DemoCommandIT {
    private static final Pattern OWN_JOB = Pattern.compile("\\./treadle submit (.*) --files (\\S+) -- (\\S+) (\\S+)");

    @TempDir
    Path directory = Path.of("");

    private Path temporary = Path.of("");
    private JavaProcess demo = new JavaProcess("none", Path.of("none"), "", "none");

    @BeforeEach
    void ownTemporaryDirectory() throws IOException {
        // The demo's lock and its cluster lie there: this test meets no other demo, and sees what is left.
        temporary = Files.createDirectory(directory.resolve("tmp"));
    }

    @AfterEach
    void end() {
        demo.killIfStarted();
    }

    @Test
    void runsWholeStaysUpTakesAJobAndLeavesNothing() throws Exception {
        Path report = directory.resolve("my report");
        demo = demo("demo", "--keep", "--report", report.toString());
        demo.start();
        awaitLine("running, gang");

        JavaProcess second =
                demo("second", "--report", directory.resolve("second").toString());
        second.start();
        assertEquals(2, second.exitCode(), second.output());
        assertTrue(second.output().startsWith("treadle: another demo is running"), second.output());

        awaitLine("same jobs, fifo+proportional");
        awaitLine("mean completion");
        awaitLine("own job");
        checkReport(new ObjectMapper().readTree(report.resolve("demo.json").toFile()));
        assertTrue(Files.readString(report.resolve("demo.html")).contains("<svg"));
        submitAsPrinted(report);

        demo.signal("TERM");
        demo.exitCode();
        assertTrue(seen("nothing is left running"), demo.tail());
        assertNothingLeft();
    }

    @Test
    void interruptedWhileItStartsItLeavesNothing() throws Exception {
        demo = demo("demo", "--report", directory.resolve("report").toString());
        demo.start();
        Await.until("a cluster that starts", () -> {
            demo.checkAlive();
            return !clusters().isEmpty();
        });
        demo.signal("TERM");
        demo.exitCode();
        assertTrue(seen("nothing is left running"), demo.tail());
        assertNothingLeft();
    }

    private static void checkReport(JsonNode report) {
        JsonNode jobs = report.path("jobs");
        assertTrue(jobs.size() >= 12, report.toString());
        long byScheduler = 0;
        long profiled = 0;
        for (JsonNode job : jobs) {
            assertEquals("SUCCEEDED", job.path("finalStatus").asText(), job.toString());
            assertTrue(job.path("samples").asLong() > 0, job.toString());
            profiled += job.path("profile").size() > 1 ? 1 : 0;
            for (JsonNode resize : job.path("resizes")) {
                byScheduler += resize.path("by").asText().equals("scheduler") ? 1 : 0;
            }
        }
        assertTrue(byScheduler > 0, report.toString());
        assertTrue(profiled > 0, report.toString());
        assertTrue(report.path("nodes").size() >= 4, report.toString());
        assertTrue(report.path("comparison").path("ratio").asDouble() > 0, report.toString());
    }

    /** The command that the demo prints for a job of one's own, word for word. */
    private void submitAsPrinted(Path report) throws Exception {
        Matcher printed = OWN_JOB.matcher(demo.output());
        assertTrue(printed.find(), demo.output());
        String[] options = printed.group(1).split(" ");
        String[] arguments = Stream.of(
                        Stream.of(Main.class.getName(), "submit"),
                        Stream.of(options),
                        Stream.of(
                                "--files",
                                Checkout.root().resolve(printed.group(2)).toString(),
                                "--",
                                printed.group(3),
                                printed.group(4)))
                .flatMap(words -> words)
                .toArray(String[]::new);
        JavaProcess client = new JavaProcess(
                "client", directory.resolve("client"), report.resolve("conf") + ":" + classPath(), arguments);
        client.start();
        assertEquals(0, client.exitCode(), client.tail());
        assertTrue(client.output().contains("succeeded after"), client.tail());
    }

    private JavaProcess demo(String name, String... options) {
        String[] arguments = Stream.concat(Stream.of(DemoMain.class.getName()), Stream.of(options))
                .toArray(String[]::new);
        return new JavaProcess(name, directory.resolve(name), classPath(), arguments)
                .withJvmOptions("-Xmx1g", "-Djava.io.tmpdir=" + temporary);
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private boolean seen(String text) throws IOException {
        return demo.output().contains(text);
    }

    /** Waits as long as the demo lives. */
    private void awaitLine(String text) {
        // Between two lines all jobs run by one policy.
        Await.until("line '" + text + "'", Duration.ofMinutes(15), () -> {
            if (!seen(text)) {
                demo.checkAlive();
                return false;
            }
            return true;
        });
    }

    private List<Path> clusters() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("treadle-cluster-"))
                    .toList();
        }
    }

    private void assertNothingLeft() throws IOException {
        assertEquals(List.of(), clusters());
        String place = temporary.toString();
        List<String> processes = ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> command.contains(place))
                .toList();
        assertFalse(processes.stream().anyMatch(command -> true), processes.toString());
    }
}
