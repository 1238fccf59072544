// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The demo's own path, in small: plugins on two unlike nodes, one gang over both, through the client to its record. */
class JobOnClusterIT {
    private static final List<NodeShape> NODES = List.of(
            new NodeShape("n1", 4096, 6, List.of(new DeviceShape(1, "A100", 40960, 400))),
            new NodeShape("n2", 3072, 5, List.of(new DeviceShape(1, "T4", 15360, 70))));
    private static final String POLICY = "srtf+synergy-balanced";

    @Test
    void aGangRunsWholeOverUnlikeNodesAndLeavesNothing() throws Exception {
        CpuShare share = CpuShare.of(2, DemoNodes.vcores(NODES));
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Path work;
        try (EmbeddedCluster cluster = DemoCluster.start(NODES, List.of(POLICY), share, starting -> {})) {
            work = cluster.workDirectory();
            devicesAreAsAskedFor(DemoCluster.describe(cluster));
            JobSpecs specs =
                    new JobSpecs(Python.interpreter(), Scripts.extract("trainer.py", work.resolve("scripts")), share);
            DemoJob job = new DemoJob("small", new Work("small", 1, 20, 4), 2, 1, 1, List.of(), 400, 0);
            List<DemoResult.Job> jobs;
            try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
                StatusReader statuses = new StatusReader(work.resolve("history"));
                Screen screen = new PlainScreen(new PrintStream(shown, true, StandardCharsets.UTF_8));
                jobs = new MixRun(new ApplicationViews(cluster), launcher, specs, statuses, screen)
                        .run(List.of(job), POLICY, DemoCluster.queueOf(POLICY), false);
            }
            String seen = shown.toString(StandardCharsets.UTF_8);
            assertTrue(jobs.get(0).succeeded(), seen);
            assertEquals("2/2", jobs.get(0).gang(), seen);
            assertEquals(400, jobs.get(0).samples(), seen);
            // A look at it may come between the first member of the gang and the second.
            assertTrue(
                    jobs.get(0).spans().stream().anyMatch(span -> span.nodes().equals(List.of("n1", "n2"))), seen);
            DemoCluster.awaitIdle(cluster);
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        assertFalse(Files.exists(work), work + " must be gone");
    }

    private static void devicesAreAsAskedFor(List<DemoResult.Node> nodes) {
        assertEquals(6, nodes.get(0).capacity().get("vcores"));
        assertEquals(3072, nodes.get(1).capacity().get("memory-mb"));
        assertEquals(1, nodes.get(0).capacity().get("yarn.io/gpu"));
        assertEquals(15360, nodes.get(1).capacity().get("treadle.io/gpu-memory"));
        DemoResult.Device device = nodes.get(1).devices().get(0);
        assertEquals("T4", device.model());
        assertTrue(device.simulated());
    }
}
