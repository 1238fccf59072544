// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.spec.JobSpec;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.JobSpecs;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.processes.Await;
import io.treadle.processes.Await.HopelessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PyTorch trains on scikit-learn's digits with two workers and two parameter servers ({@code digits_ps.py}) in a queue of
 * {@code smd}; a server is killed on the way, and the job goes on from its checkpoint.
 */
class ServersTrainingIT {
    private static final Logger LOG = LoggerFactory.getLogger(ServersTrainingIT.class);

    private static final String POLICY = "smd";
    private static final int EPOCHS = 30;
    /** Training images of scikit-learn's digits, 64 a step. */
    private static final int STEPS = EPOCHS * 23;

    private static final int TASK_MIB = 640;
    private static final double LEAST_ACCURACY = 0.95;
    private static final String RESULT = "--result";

    private final Path checkpoints;
    private final Path result;

    ServersTrainingIT(@TempDir Path directory) {
        checkpoints = directory.resolve("checkpoints");
        result = directory.resolve("result.json");
    }

    @BeforeAll
    static void torchIsThere() throws Exception {
        boolean there = new ProcessBuilder(Python.interpreter(), "-c", "import torch, sklearn")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        Assumptions.assumeTrue(there, "no PyTorch or no scikit-learn for " + Python.interpreter());
    }

    @Test
    void trainsToItsAccuracyThoughAServerIsKilled() throws Exception {
        Path work;
        try (EmbeddedCluster cluster = DemoCluster.start(
                        List.of(new NodeShape("servers", 8192, 8, List.of())),
                        List.of(POLICY),
                        new CpuShare(1),
                        starting -> {},
                        Map.of());
                ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            ApplicationId id = launcher.submit(spec(work.resolve("scripts")));
            ApplicationViews views = new ApplicationViews(cluster);

            Await.until("a checkpoint is kept", () -> {
                hopeful(views.of(id));
                return checkpoints() > 0;
            });
            assertEquals(4, views.of(id).workers().size(), "two workers and two servers");
            ProcessHandle server = server(work);
            LOG.info("server {} is killed after {} checkpoints", server.pid(), checkpoints());
            server.destroyForcibly();

            Await.until("it ends", () -> views.of(id).ended());
            assertEquals(
                    FinalApplicationStatus.SUCCEEDED,
                    views.of(id).finalStatus(),
                    views.of(id).diagnostics());
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        JsonNode reached = new ObjectMapper().readTree(result.toFile());
        LOG.info("{}", reached);
        assertEquals(STEPS, reached.path("steps").asInt());
        assertEquals(2, reached.path("workers").asInt());
        assertEquals(2, reached.path("servers").asInt());
        assertTrue(reached.path("begunAfterStep").asInt() > 0, "it has gone on from a checkpoint: " + reached);
        assertTrue(reached.path("testAccuracy").asDouble() >= LEAST_ACCURACY, reached.toString());
    }

    private static void hopeful(ApplicationView view) {
        if (view.ended()) {
            throw new HopelessException("it has ended: " + view.finalStatus() + " " + view.diagnostics());
        }
    }

    private long checkpoints() throws IOException {
        if (!Files.isDirectory(checkpoints)) {
            return 0;
        }
        try (Stream<Path> kept = Files.walk(checkpoints)) {
            return kept.filter(path -> path.getFileName().toString().endsWith(".pt"))
                    .count();
        }
    }

    /** Workers alone are told where the result goes. */
    private static ProcessHandle server(Path work) {
        return ContainerProcesses.under(work).stream()
                .filter(process -> process.info()
                        .arguments()
                        .map(List::of)
                        .filter(arguments -> arguments.contains("digits_ps") && !arguments.contains(RESULT))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no server runs"));
    }

    private JobSpec spec(Path scripts) {
        String command = "exec " + Python.interpreter() + " -B -m digits_ps --epochs " + EPOCHS;
        List<JobSpec.FileSpec> files = Stream.of("digits_ps.py", "digits_ddp.py")
                .map(name -> new JobSpec.FileSpec(
                        Scripts.extract(name, scripts).toUri().toString(), name))
                .toList();
        return new JobSpec(
                "digits-ps",
                DemoCluster.queueOf(POLICY),
                "",
                0,
                0,
                false,
                0,
                3,
                1,
                Map.of(),
                files,
                List.of(),
                Optional.of(checkpoints.toUri().toString()),
                new JobSpec.AppMaster(1, JobSpecs.APP_MASTER_MIB),
                new JobSpec.Profiling(false, 60),
                List.of(group("worker", command + " " + RESULT + " '" + result + "'"), group("ps", command)));
    }

    private static JobSpec.TaskGroup group(String name, String command) {
        return new JobSpec.TaskGroup(name, 2, 2, 0, 0, List.of(), 1, TASK_MIB, 0, 0, command, Map.of());
    }
}
