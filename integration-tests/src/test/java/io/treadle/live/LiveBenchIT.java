// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoJob;
import io.treadle.demo.RecordedRounds;
import io.treadle.demo.Screen;
import io.treadle.demo.Terminal;
import io.treadle.simulator.bench.Machine;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The live bench, small: workers get the sizes at which they are to be measured, jobs those that the simulator plans for
 * the same snapshots, and everything is written. How long anything takes is for the bench to say, not for a test.
 */
@Tag("alone")
class LiveBenchIT {
    private static final List<DemoJob> MIX = List.of(
            LiveKinds.job("cpu-a", LiveKinds.CPU, 1, 150, 0), LiveKinds.job("gpu-b", LiveKinds.GPU, 2, 200, .5));

    private static final LiveSizes SIZES =
            new LiveSizes(List.of(LiveKinds.CPU, LiveKinds.GPU), MIX, List.of(5L, 2L), 1, false);

    @Test
    void runsWhole(@TempDir Path directory) throws Exception {
        Path rounds = directory.resolve("rounds");
        Path out = directory.resolve("out");
        Map<String, String> settings = new HashMap<>(LiveNodes.SETTINGS);
        settings.put("yarn.scheduler.treadle.record-dir", rounds.toString());
        settings.put("treadle.profile.noise", "0.1");
        settings.put("treadle.profile.step-min-seconds", "0.5");
        CpuShare share = CpuShare.of(2, LiveNodes.vcores());
        Screen screen = Terminal.screen(new PrintStream(System.out, true, StandardCharsets.UTF_8), 60);
        LiveResult result;
        Path work;
        try (EmbeddedCluster cluster =
                DemoCluster.start(LiveNodes.ALL, LiveBench.POLICIES, share, starting -> {}, settings)) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            result = new LiveBench(SIZES, share, Machine.here(), screen).run(cluster);
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        assertEquals(List.of(), result.failed());

        assertEquals(
                List.of("cpu-bound", "gpu-bound"), List.copyOf(result.profiles().keySet()));
        for (Curve curve : result.curves()) {
            assertEquals(
                    List.of(2L, 5L),
                    curve.points().stream().map(Curve.Point::vcores).toList());
            assertTrue(curve.points().stream().allMatch(point -> point.profiled() > 0), curve.toString());
            assertTrue(curve.profileSeconds() > 0, curve.toString());
        }
        for (Mixed mix : result.mixes()) {
            assertEquals(2, mix.jobs().size());
            assertTrue(
                    mix.jobs().stream().allMatch(job -> result.foretoldSeconds(mix, job.name()) > 0),
                    result.foretold().toString());
            assertEquals(
                    3,
                    RecordedRounds.planAgain(rounds, mix.policy()).starts(),
                    "workers of both jobs, " + mix.policy());
        }
        // What each was first given: its share, and what it can use.
        assertEquals(3, vcores(result.baseline(), 0));
        assertTrue(vcores(result.ours(), 0) > 3, result.ours().toString());
        assertTrue(vcores(result.ours(), 1) < 6, result.ours().toString());

        new LiveFiles(out).write(LiveShown.of(result));
        assertTrue(new ObjectMapper()
                        .readTree(out.resolve("summary.json").toFile())
                        .size()
                >= 4);
        assertTrue(Files.readString(out.resolve("bench.html")).contains("<svg"));
    }

    private static int vcores(Mixed mix, int job) {
        return mix.jobs().get(job).spans().get(0).vcores();
    }
}
