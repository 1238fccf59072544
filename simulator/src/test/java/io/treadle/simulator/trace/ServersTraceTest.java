// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.generate.ServerJobs;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs with workers and parameter servers from files, and into them. */
class ServersTraceTest {
    private static final String JOB =
            """
            {"treadle-servers": 1, "id": "a", "submitSeconds": 0, \
            "worker": {"min": 1, "max": 4, "gpus": 1, "vcores": 2, "memoryMiB": 1024}, \
            "ps": {"min": 1, "max": 2, "gpus": 0, "vcores": 1, "memoryMiB": 512}, \
            "mode": "sync", "overlap": "wait-free", "batch": 64, "iterations": 100, \
            "layers": [{"forwardSecondsPerSample": 0.01, "backwardSecondsPerSample": 0.02, "gradientBytes": 5e6}], \
            "links": {"workerBytesPerSecond": 1e9}, "utility": {"weight": 2, "targetHours": 1}, \
            "cap": {"gpus": 4, "vcores": 12, "memoryMiB": 8192}}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static SimCluster cluster() {
        return ClusterReader.read(Fixtures.cluster("own.yaml").toString());
    }

    private static Trace read(Path file, boolean skipBadRows) {
        return Traces.told("auto", file, skipBadRows);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("t.jsonl"), text);
    }

    private static String error(Path file) {
        return String.valueOf(assertThrows(InputException.class, () -> Traces.told("servers", file, false))
                .getMessage());
    }

    @Test
    void linesBecomeTheJobsThatTheyMean() {
        Trace trace = read(Fixtures.trace("servers.jsonl"), false);
        assertEquals("servers", trace.format());
        assertEquals(trace, Traces.told("servers", Fixtures.trace("servers.jsonl"), false));
        TraceJob vgg = trace.jobs().get(0);
        assertEquals("vgg vision ana 0 3", words(vgg));
        assertEquals(
                List.of(
                        new TaskGroup("worker", 1, 8, ResourceVector.of(1, 4, 4096), Set.of()),
                        new TaskGroup("ps", 1, 8, ResourceVector.of(0, 2, 2048), Set.of())),
                vgg.groups());
        assertEquals(12_000, vgg.work().samples());
        // On one worker and one server 3.6 s of computing and 0.2 s of the network for each of 100 iterations.
        assertEquals(380, vgg.work().seconds(), 1e-9);
        LayeredPsModel model = vgg.sizing().model().orElseThrow();
        assertEquals(Mode.SYNC, model.mode());
        assertEquals(Overlap.WAIT_FREE, model.overlap());
        assertEquals(3.6 / 5 + 1.0 / 3, model.iterationSeconds(5, 3), 1e-12);
        assertEquals(new Utility(10, 2, OptionalDouble.of(0.5)), vgg.sizing().utility());
        assertEquals(Optional.of(ResourceVector.of(5, 26, 30_000)), vgg.sizing().cap());
    }

    @Test
    void whatIsFittedStandsForLayersAndMuchMayBeLeftOut() {
        TraceJob ctr = read(Fixtures.trace("servers.jsonl"), false).jobs().get(1);
        assertEquals("ctr   10500 0", words(ctr));
        assertEquals(
                List.of("worker", "ps", "chief"),
                ctr.groups().stream().map(TaskGroup::name).toList());
        assertEquals(List.of(1, 2, 1), ctr.groups().stream().map(TaskGroup::min).toList());
        // On one worker and two servers 0.32 + 0.05 + 0.1 + 0.001 + 0.004 s for each of 1,000 iterations.
        assertEquals(475, ctr.work().seconds(), 1e-9);
        assertEquals(
                new Sizing(
                        Utility.UNKNOWN,
                        Optional.of(LayeredPsModel.ofWhole(.01, .05, .2, .001, .002, Mode.ASYNC, 32)),
                        Optional.empty()),
                ctr.sizing());
        assertFalse(ctr.hasWorth());
        assertEquals(OptionalDouble.empty(), ctr.worth(20_000));
    }

    private static String words(TraceJob job) {
        return String.join(" ", job.id(), job.queue(), job.user()) + " " + job.submitMs() + " "
                + job.attributes().priority();
    }

    @Test
    void theExampleOfTheSpecIsOne() throws IOException {
        String spec = Files.readString(Path.of("..", "docs", "spec", "servers-trace.md"));
        int begin = spec.indexOf("```json\n") + "```json\n".length();
        TraceJob job = read(file(spec.substring(begin, spec.indexOf("```", begin))), false)
                .jobs()
                .get(0);
        assertEquals("a-17 vision ana 12500 0", words(job));
        assertEquals(20_000 * 256.0, job.work().samples());
    }

    /** Half of the weight is left at the target, after half an hour. */
    @Test
    void anEndIsWorthWhatItsUtilitySays() {
        TraceJob vgg = read(Fixtures.trace("servers.jsonl"), false).jobs().get(0);
        assertEquals(5, vgg.worth(1_800_000).orElseThrow());
        assertEquals(10 / (1 + Math.exp(-1)), vgg.worth(0).orElseThrow(), 1e-12);
    }

    @ParameterizedTest
    @CsvSource({"drawn.jsonl", "drawn.jsonl.gz"})
    void drawnJobsComeBackAsTheyWere(String name) {
        Path file = directory.resolve(name);
        List<TraceJob> drawn = ServerJobs.draw(3, 200, 10);
        List<Long> told = new ArrayList<>();
        ServersFile.write(file, drawn, told::add);
        assertEquals(drawn, read(file, false).jobs());
        assertEquals(200, told.get(told.size() - 1));
    }

    @Test
    void allThatIsReadIsWrittenToo() throws IOException {
        List<TraceJob> jobs = read(Fixtures.trace("servers.jsonl"), false).jobs();
        Path file = directory.resolve("again.jsonl");
        ServersFile.write(file, jobs, written -> {});
        assertEquals(jobs, read(file, false).jobs());
        assertFalse(Files.readString(file).contains("Infinity"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"treadle-servers\": 1|\"treadle-servers\": 2"
                        + "|'treadle-servers': is '2', must be 1, the version of the format that is known",
                "\"id\": \"a\"|\"id\": 5|'id': is '5', must be a text",
                "\"id\": \"a\", |''|'id': is missing, must be a text",
                "\"submitSeconds\": 0|\"submitSeconds\": -1|'submitSeconds': is '-1', must be a number from 0 to",
                "\"submitSeconds\": 0|\"submitSeconds\": \"0\"|'submitSeconds': is '0', must be a number from 0 to",
                "\"min\": 1, \"max\": 4|\"min\": 5, \"max\": 4"
                        + "|'worker.max': is '4', must be a whole number from 5 to 100000",
                "\"gpus\": 1,|\"gpus\": 1.5,|'worker.gpus': is '1.5', must be a whole number from 0 to 1000000",
                "\"gpus\": 0, \"vcores\": 1, \"memoryMiB\": 512|\"gpus\": 0, \"vcores\": 0, \"memoryMiB\": 0"
                        + "|must be tasks that ask for GPUs, vcores or memory",
                "\"mode\": \"sync\"|\"mode\": \"later\"|'mode': is 'later', must be async or sync",
                "\"wait-free\"|\"some\"|'overlap': is 'some', must be none or wait-free",
                "\"batch\": 64|\"batch\": 0|'batch': is '0', must be a number above 0 and at most 1000000000",
                "\"iterations\": 100|\"iterations\": 1e400|'iterations': is ",
                "\"batch\": 64, \"iterations\": 100|\"batch\": 6400, \"iterations\": 1e12"
                        + "|must be so few that the job ends within 10000000000000 s on the fewest workers",
                "\"gradientBytes\": 5e6|\"gradientBytes\": -5"
                        + "|'layers[0].gradientBytes': is '-5', must be a number from 0 to",
                "\"layers\": [|\"others\": [], \"layer\": ["
                        + "|'layers': is missing, must be a list of 1 to 100000 layers, or 'fitted' in its place",
                "\"batch\": 64|\"batch\": 64, \"fitted\": {}|'layers': is '[{",
                "\"workerBytesPerSecond\": 1e9|\"workerBytesPerSecond\": 0"
                        + "|'links.workerBytesPerSecond': is '0', must be a number above 0",
                "\"weight\": 2|\"weight\": 0|'utility.weight': is '0', must be a number above 0",
                "\"targetHours\": 1|\"targetHours\": \"soon\""
                        + "|'utility.targetHours': is 'soon', must be a number from 0 to",
                "\"utility\": {\"weight\": 2, \"targetHours\": 1}|\"utility\": 7|'utility': is '7', must be an object",
                "\"cap\": {\"gpus\": 4|\"cap\": {\"gpus\": 0"
                        + "|must be at least what the job needs, 1 GPU, 3 vcores, 1536 MiB",
                "\"mode\"|\"others\": [{\"name\": \"ps\"}], \"mode\""
                        + "|'others[0].name': is 'ps', must be a name that no other group has",
                "\"id\"|\"id\": \"b\", \"id\"|is no JSON, which has one object a line: Duplicate field 'id'",
                "\"mode\"|mode|is no JSON, which has one object a line: Unexpected character",
            })
    void namesFileLineFieldValueAndWhatWouldBeRight(String right, String wrong, String message) throws IOException {
        assertTrue(JOB.contains(right), right);
        Path file = file("\n" + JOB.replace(right, wrong));
        assertTrue(error(file).startsWith(file + ", line 2"), () -> error(file));
        assertTrue(error(file).contains(message), () -> error(file));
    }

    @Test
    void anIterationTakesTime() throws IOException {
        String text = JOB.replaceAll("\"layers\".*\"links\": \\{[^}]*}", "\"fitted\": {\"compute\": 0}")
                .replace("wait-free", "none");
        assertTrue(error(file(text)).contains("'fitted': is '{\"compute\":0}', must be what makes an iteration take"));
    }

    @Test
    void aFittedModelHasNoOverlap() throws IOException {
        String text = JOB.replaceAll("\"layers\".*\"links\": \\{[^}]*}", "\"fitted\": {\"compute\": 1}");
        assertTrue(error(file(text)).contains("'overlap': is 'wait-free', must be none, or left out, beside 'fitted'"));
    }

    @Test
    void badLinesAreLeftOutWhereThatIsAskedFor() throws IOException {
        Path file = file(JOB + JOB + "[3]\n" + JOB.replace("\"a\"", "\"b\"") + "{\"id\": \n");
        assertEquals(
                file + ", line 2, 'id': is 'a', must be named once.\nMaybe leave such rows out: --skip-bad-rows.",
                error(file));
        Trace trace = read(file, true);
        assertEquals(List.of("a", "b"), trace.jobs().stream().map(TraceJob::id).toList());
        assertTrue(trace.skipped().get(0).startsWith("3 bad rows of " + file));
        assertEquals(
                file + ", line 3: is '[3]', must be an object of JSON: {…}.",
                trace.skipped().get(2));
    }

    @Test
    void jobsWithoutGpusAreLeftOut() throws IOException {
        Trace trace = read(file(JOB + JOB.replace("\"a\"", "\"b\"").replace("\"gpus\": 1,", "\"gpus\": 0,")), false);
        assertEquals(List.of("1 jobs without GPUs left out"), trace.notes());
        assertEquals(1, trace.jobs().size());
    }

    @Test
    void jobsThatNoNodesCouldHoldAreNamed() throws IOException {
        String queue = JOB.replace("\"id\"", "\"queue\": \"vision\", \"id\"");
        assertEquals(
                1, Traces.read("auto", file(queue), cluster(), false).jobs().size());
        Path tall = file(queue.replace("\"gpus\": 1, \"vcores\": 2", "\"gpus\": 1, \"vcores\": 100")
                .replace("\"vcores\": 12", "\"vcores\": 200"));
        InputException error = assertThrows(InputException.class, () -> Traces.read("auto", tall, cluster(), false));
        assertTrue(
                String.valueOf(error.getMessage())
                        .contains("job 'a' needs 1 tasks 'worker' of 1 GPU, 100 vcores, 1024 MiB each, for which the"
                                + " nodes of partition research have no room: it could never run."),
                error.getMessage());
        error = assertThrows(InputException.class, () -> Traces.read("auto", file(JOB), Clusters.ofEights(2), false));
        assertTrue(
                String.valueOf(error.getMessage()).contains("Maybe the cluster does not tell its nodes' vcores"),
                error.getMessage());
    }
}
