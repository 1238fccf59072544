// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each format's rows become the jobs that they mean. */
class TraceFormatsTest {
    /**
     * Each job as {@code id queue user submit tasks seconds history}, seconds since the trace's zero, on nodes of 8 GPUs.
     */
    private static List<String> read(String format, String file) {
        Trace trace = Traces.read("auto", Fixtures.trace(file), Fixtures.eights(), false);
        assertEquals(format, trace.format());
        assertEquals(trace, Traces.read(format, Fixtures.trace(file), Fixtures.eights(), false));
        return trace.jobs().stream().map(TraceFormatsTest::text).toList();
    }

    private static String text(TraceJob job) {
        return String.join(
                " ",
                job.id(),
                orDash(job.queue()),
                orDash(job.user()),
                seconds(job.submitMs()),
                job.groups().stream().map(TraceFormatsTest::text).collect(Collectors.joining("+")),
                job.work().ends() ? String.valueOf(job.work().seconds()) : "never",
                job.history()
                        .map(ran -> seconds(ran.startMs()) + ".." + seconds(ran.endMs()))
                        .orElse("-"));
    }

    private static String text(TaskGroup group) {
        return group.min() + "x"
                + (group.ask().gpuMemoryMiB() > 0
                        ? group.ask().gpuMemoryMiB() + "MiB"
                        : String.valueOf(group.ask().gpus()))
                + group.gpuModels().stream().sorted().map(model -> "@" + model).collect(Collectors.joining());
    }

    private static String seconds(long ms) {
        return String.valueOf(ms / 1000.0);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static List<String> notes(String file) {
        return Traces.read("auto", Fixtures.trace(file), Fixtures.eights(), false)
                .notes();
    }

    @Test
    void ours() {
        assertEquals(
                List.of("6214e9 vision ana 0.0 1x1 120.5 3.0..123.5", "n-2 nlp bo 10.0 1x8+1x4 3600.0 -"),
                read("treadle", "treadle.csv"));
        assertEquals(List.of("1 jobs without GPUs left out", "1 jobs that did not run left out"), notes("treadle.csv"));
        assertEquals(
                100,
                Traces.read("auto", Fixtures.trace("treadle.csv"), Fixtures.eights())
                        .get(0)
                        .foretoldSeconds()
                        .orElseThrow());
    }

    /**
     * 1990 GPU-seconds in 100 s are 19.9 GPUs, that is 20 or two nodes of 8 and 4 GPUs; 8 in 10 s are one. Before Hadoop
     * 3.5 nobody knows when the 150 GPU-seconds of 100 s began.
     */
    @Test
    void yarnTellsGpuSeconds() {
        assertEquals(
                List.of(
                        "application_1767225600000_0001 root.ml ana 0.0 1x1 10.0 0.5..10.5",
                        "application_1767225600000_0004 root.ml bo 50.0 2x8+1x4 100.0 52.0..152.0"),
                read("yarn", "yarn.json"));
        assertEquals(
                List.of(
                        "2 jobs without GPUs left out",
                        "1 jobs that have not ended left out",
                        "2 jobs of YARN: their GPUs are GPU-seconds over run time, rounded up, and their tasks the fewest"
                                + " nodes'"),
                notes("yarn.json"));
        assertEquals(
                List.of("application_1767225600000_0001 ml ana 0.0 1x2 100.0 -"), read("yarn", "yarn_before_3_5.json"));
    }

    /** Priority, deadline in seconds after the submission, and how it ended, of each job. */
    private static List<String> attributes(String file) {
        return Traces.read("auto", Fixtures.trace(file), Fixtures.eights()).stream()
                .map(job -> job.id() + " " + job.attributes().priority() + " "
                        + (job.attributes().deadlineMs().isPresent()
                                ? seconds(job.attributes().deadlineMs().getAsLong())
                                : "-")
                        + " " + job.attributes().state().map(EndState::text).orElse("-"))
                .toList();
    }

    @Test
    void prioritiesDeadlinesAndEnds() {
        assertEquals(List.of("w1 0 - -", "w2 7 90.0 killed", "w3 0 0.0 completed"), attributes("treadle_wants.csv"));
        assertEquals(List.of("j10 0 - completed", "j12 0 - failed"), attributes("helios.csv"));
        assertEquals(List.of("k2 0 - failed", "k1 0 - completed"), attributes("acme.csv"));
        assertEquals(
                List.of("application_1_0003 0 - failed", "application_1_0001 0 - completed"),
                attributes("philly.json"));
        assertEquals(List.of("101_1 0 - failed", "100 0 - completed", "104 0 - killed"), attributes("sacct.txt"));
        assertEquals(List.of("s1 1 - -", "s2 0 - -"), attributes("spot.csv"));
        assertEquals(List.of("e0 0 1000.0 -", "e1 0 - -"), attributes("elasticflow.csv"));
        assertEquals(
                List.of("application_1767225600000_0001 0 - completed", "application_1767225600000_0004 3 - completed"),
                attributes("yarn.json"));
    }

    @Test
    void elasticJobs() {
        assertEquals(
                List.of("1x2..5 of 2 GPUs", "1x1..4 of 4 GPUs", "1x3..3 of 1 GPUs", "0.5"),
                Stream.concat(
                                Traces.read("auto", Fixtures.trace("treadle_elastic.csv"), Fixtures.eights()).stream()
                                        .map(job -> job.groups().size() + "x"
                                                + job.groups().get(0).min() + ".."
                                                + job.groups().get(0).max() + " of "
                                                + job.groups().get(0).ask().gpus() + " GPUs"),
                                Traces.read("auto", Fixtures.trace("treadle_elastic.csv"), Fixtures.eights()).stream()
                                        .map(job -> String.valueOf(job.work().scaling()))
                                        .filter(scaling -> !scaling.equals("1.0")))
                        .toList());
    }

    @Test
    void phillySumsAttemptsAndTakesTheGpusOfTheLast() {
        assertEquals(
                List.of(
                        "application_1_0003 abc u2 0.0 1x1 1.0 100.0..101.0",
                        "application_1_0001 7e11 u1 100.0 1x3 630.0 160.0..3730.0"),
                read("philly", "philly.json"));
        assertEquals(List.of("1 jobs without GPUs left out"), notes("philly.json"));
    }

    @Test
    void heliosKeepsJobsThatFailed() {
        assertEquals(
                List.of("j10 vcA ua 0.0 2x8 600.0 60.0..660.0", "j12 vcB ub 86400.0 1x1 3.0 86402.0..86405.0"),
                read("helios", "helios.csv"));
        assertEquals(List.of("1 jobs without GPUs left out", "1 jobs that did not run left out"), notes("helios.csv"));
    }

    @Test
    void acmeTakesTimesBeforeTheirSumAndMindsOffsets() {
        assertEquals(
                List.of("k2 - u8 0.0 1x8 100.0 10.0..110.0", "k1 - u7 3570.0 4x8 3600.0 4170.0..7770.0"),
                read("acme", "acme.csv"));
    }

    @Test
    void paiRoundsPartsOfCardsUpWhereTheyCannotBeTold() {
        assertEquals(
                List.of("p1 - ua 0.0 3x1 90.0 -", "p2 - ub 15.0 1x2 1000.0 -", "p4 - uc 20.0 2x8 30.0 -"),
                read("pai", "pai.csv"));
        assertEquals(
                List.of(
                        "1 jobs without GPUs left out",
                        "1 jobs ask for a part of a GPU and get a whole one: the cluster does not tell the memory of"
                                + " its cards"),
                notes("pai.csv"));
    }

    @Test
    void paiAsksForModelsAndPartsWhereTheClusterNamesThem() {
        SimCluster cluster =
                ClusterReader.read(Fixtures.cluster("openb_nodes.csv").toString());
        Trace trace = Traces.read("pai", Fixtures.trace("pai.csv"), cluster, false);
        assertEquals(
                List.of("p1 - ua 0.0 3x250MiB@T4 90.0 -", "p2 - ub 15.0 1x2@V100 1000.0 -", "p4 - uc 20.0 2x8 30.0 -"),
                trace.jobs().stream().map(TraceFormatsTest::text).toList());
        assertEquals(
                "1 jobs want GPUs of a model that the cluster does not have, and cannot run",
                trace.notes().get(1));
    }

    @Test
    void spot() {
        assertEquals(List.of("s1 HP 4 0.0 3x1 500.0 -", "s2 Spot 5 60.0 2x8 7200.0 -"), read("spot", "spot.csv"));
    }

    @Test
    void openbNeverEnds() {
        assertEquals(
                List.of(
                        "pod-a - - 0.0 1x250MiB never -",
                        "pod-b - - 1.0 1x2@P100@T4 never -",
                        "pod-c - - 2.0 1x0 never -"),
                read("openb", "openb.csv"));
    }

    @Test
    void gavelDividesStepsByTheSpeedAlone() {
        assertEquals(
                List.of("0 - - 0.0 1x1 100.0 -", "1 - - 30.5 1x2 80.0 -", "2 - - 40.0 1x4 200.0 -"),
                read("gavel", "gavel.tsv"));
        assertEquals(
                List.of("1 jobs timed by the speed on one GPU: the table has none for theirs"), notes("gavel.tsv"));
        assertEquals(List.of("0 va - 0.0 1x2 40.0 -", "1 vb - 12.0 1x1 30.0 -"), read("gavel", "gavel_list.csv"));
    }

    @Test
    void muriCountsInMilliseconds() {
        assertEquals(List.of("0 - - 0.0 1x1 50.0 -", "1 - - 61.5 2x8 90.5 -"), read("muri", "muri.csv"));
    }

    @Test
    void tiresiasCountsInSeconds() {
        assertEquals(List.of("0 - - 0.0 1x2 50.0 -", "1 - - 61.0 2x8 90.0 -"), read("tiresias", "tiresias.csv"));
    }

    @Test
    void elasticFlowAndPollux() {
        assertEquals(
                List.of("e0 - - 1000.0 1x4 300.0 -", "e1 - - 1500.0 1x1 40.0 -"),
                read("elasticflow", "elasticflow.csv"));
        assertEquals(List.of("net-0 - - 0.0 1x4 100.0 -", "net-1 - - 25.0 1x1 3000.0 -"), read("pollux", "pollux.csv"));
    }

    @Test
    void analysimCountsWholeDaysAndKeepsPartitionsOfDigits() {
        assertEquals(
                List.of("7 research - 0.0 2x8 100.0 -", "8 123 - 172770.0 1x4 60.0 -"),
                read("analysim", "analysim.csv"));
    }

    @Test
    void sacctLeavesStepsOutAndKeepsWhatRan() {
        assertEquals(
                List.of(
                        "101_1 gpu bob 0.0 1x2 10.0 60.0..70.0",
                        "100 gpu ann 60.0 2x8 3600.0 360.0..3960.0",
                        "104 gpu cat 7260.0 1x1 20.0 7260.0..7280.0"),
                read("sacct", "sacct.txt"));
        assertEquals(List.of("2 jobs without GPUs left out", "1 jobs that did not run left out"), notes("sacct.txt"));
        assertEquals(
                List.of("200 gpu ann 0.0 2x8 3600.0 300.0..3900.0", "201 gpu ann 60.0 1x4 60.0 300.0..360.0"),
                read("sacct", "sacct_bare.txt"));
    }

    @Test
    void swfTakesProcessorsForGpus() {
        assertEquals(List.of("1 2 3 0.0 1x4 100.0 10.0..110.0", "2 - 4 30.0 2x8 50.0 -"), read("swf", "swf.txt"));
    }

    @Test
    void synergyWithAndWithoutNames() {
        List<String> expected = List.of(
                "0 - - 0.0 1x1 600.0 -",
                "1 - - 60.0 4x1 "
                        + 2000 * SynergyModels.find("gnmt").orElseThrow().secondsPerIteration() + " -");
        assertEquals(expected, read("synergy", "synergy.csv"));
        assertEquals(expected, read("synergy", "synergy_bare.csv"));
    }

    @ParameterizedTest
    @CsvSource({
        "gpu:8, 8",
        "gpu:1080ti:4, 4",
        "'gpu:tesla:2(S:0-1),nic:1', 2",
        "'cpu=4,gres/gpu=3,gres/gpu:a100=3', 3",
        "'gres/gpu:a100=2,gres/gpu:v100=1', 3",
        "gres:gpu:2, 2",
        "(null), 0",
        "'', 0"
    })
    void slurmGpus(String resources, long gpus) {
        assertEquals(gpus, SlurmGpus.in(resources));
    }

    @Test
    void allFormatsAreNamed() {
        assertEquals(
                Set.of(
                        "acme",
                        "analysim",
                        "elasticflow",
                        "gavel",
                        "helios",
                        "muri",
                        "openb",
                        "pai",
                        "philly",
                        "pollux",
                        "sacct",
                        "servers",
                        "spot",
                        "swf",
                        "synergy",
                        "tiresias",
                        "treadle",
                        "yarn"),
                Set.of(Traces.formats().split(", ")));
    }
}
