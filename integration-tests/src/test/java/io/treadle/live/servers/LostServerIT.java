// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.core.model.ps.PsSize;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.Python;
import io.treadle.demo.StatusReader;
import io.treadle.demo.servers.ServersJobs;
import io.treadle.live.Torch;
import io.treadle.processes.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node goes with a parameter server of a job that trains with PyTorch. */
@Tag("alone")
class LostServerIT {
    /** Each has room for one task, beside an ApplicationMaster or not. */
    private static final List<NodeShape> NODES = IntStream.rangeClosed(1, 4)
            .mapToObj(i -> new NodeShape("n" + i, 1216, 4, List.of()))
            .toList();

    private static final PsSize SIZE = new PsSize(1, 2);
    private static final int EPOCHS = 80;
    private static final double LEAST_ACCURACY = 0.9;

    private final ObjectMapper json = new ObjectMapper();

    @BeforeAll
    static void torchIsThere() throws Exception {
        Torch.assumeThere();
    }

    @Test
    void theJobGoesOnFromItsCheckpointOnTheNodesThatAreLeft(@TempDir Path directory) throws Exception {
        Path checkpoints = directory.resolve("checkpoints");
        Path result = directory.resolve("result.json");
        try (EmbeddedCluster cluster =
                        DemoCluster.start(NODES, List.of(ServersJobs.POLICY), new CpuShare(1), starting -> {});
                ClientLauncher launcher = new ClientLauncher(impatient(cluster.configuration()))) {
            ApplicationViews views = new ApplicationViews(cluster);
            ApplicationId id = launcher.submit(ServersJobs.training(
                    Python.interpreter(),
                    cluster.workDirectory().resolve("scripts"),
                    checkpoints,
                    result,
                    new ServersJobs.Size(SIZE, SIZE, 1, 1, 0, ServersJobs.BATCH, EPOCHS)));
            String lost = Await.value(
                    "a checkpoint, and a server apart from the ApplicationMaster",
                    () -> hasCheckpoint(checkpoints) ? aServersNode(cluster, views.of(id), id) : Optional.empty());
            cluster.stopNode(index(lost));
            ApplicationView view =
                    Await.value("the job's end", () -> Optional.of(views.of(id)).filter(ApplicationView::ended));
            assertEquals(FinalApplicationStatus.SUCCEEDED, view.finalStatus(), view.diagnostics());
            assertTrue(
                    cluster.resourceManager().getRMContext().getRMNodes().values().stream()
                            .allMatch(node -> node.getState() == NodeState.RUNNING),
                    "the node counted as there all the time");
        }
        JsonNode trained = json.readTree(result.toFile());
        assertTrue(trained.path("begunAfterStep").asInt() > 0, trained::toString);
        assertEquals(SIZE.servers(), trained.path("servers").asInt(), trained::toString);
        assertTrue(trained.path("testAccuracy").asDouble() >= LEAST_ACCURACY, trained::toString);
    }

    /** To YARN the node is there for ten minutes more: the ApplicationMaster finds out by itself. */
    private static Configuration impatient(Configuration cluster) {
        Configuration settings = new Configuration(cluster);
        settings.set("treadle.runner.silence-seconds", "10");
        return settings;
    }

    private static boolean hasCheckpoint(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".pt"));
        }
    }

    /** Of the two that have servers at least one has no ApplicationMaster; empty while that is not known. */
    private Optional<String> aServersNode(EmbeddedCluster cluster, ApplicationView view, ApplicationId id)
            throws Exception {
        Optional<String> status =
                new StatusReader(cluster.workDirectory().resolve("history")).text(view.trackingUrl() + "status.json");
        if (status.isEmpty()) {
            return Optional.empty();
        }
        List<String> servers = Stream.of(json.readTree(status.get()).path("workers"))
                .flatMap(workers -> IntStream.range(0, workers.size()).mapToObj(workers::get))
                .filter(worker -> worker.path("group").asText().equals("ps"))
                .map(worker -> worker.path("containerId").asText())
                .toList();
        String master = new ApplicationViews(cluster).masterNode(id).orElse("");
        return view.workers().stream()
                .filter(container -> servers.contains(container.containerId()))
                .map(container -> container.node())
                .filter(node -> !node.equals(master))
                .findFirst();
    }

    private static int index(String node) {
        return NODES.stream().map(NodeShape::name).toList().indexOf(node);
    }
}
