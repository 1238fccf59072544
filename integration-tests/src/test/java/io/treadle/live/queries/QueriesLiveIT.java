// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few seconds of what {@code treadle bench compass --live} does: all is answered, rightly, and figures are there. */
class QueriesLiveIT {
    @Test
    void allIsAnswered(@TempDir Path models) throws Exception {
        GatedScreen screen =
                new GatedScreen(Terminal.screen(new PrintStream(System.out, true, StandardCharsets.UTF_8), 60));
        Path work;
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .node(new NodeShape("n1", 4096, 4, List.of()))
                .start()) {
            work = cluster.workDirectory();
            for (Beside each : new LoadedRuns(cluster, models, screen, 2, 4, 1).run("compass", List.of(0.3))) {
                assertFalse(each.live().isEmpty(), "queries that were measured");
                assertEquals(each.live().size(), each.simulated().size());
                assertEquals(each.live().size(), each.foretold().size());
                assertTrue(
                        DoubleStream.of(
                                        each.perSecond(),
                                        each.ofMean(),
                                        each.ofP95(),
                                        each.drift(),
                                        each.busy(),
                                        each.overheads().queryMs())
                                .allMatch(figure -> figure > 0 && Double.isFinite(figure)),
                        each::toString);
            }
            assertTrue(new EmptyTasks(4, 1, 1).run(cluster, models) > 0, "empty tasks");
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
    }
}
