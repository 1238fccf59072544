// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.processes.TrainingJob.Size;
import io.treadle.processes.TrainingJob.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gang whose workers run in Docker containers, by Hadoop's LinuxContainerExecutor and its Docker runtime. {@link
 * ExecutorStandIn} takes the place of Hadoop's native container-executor, and runc that of NVIDIA's runtime; NodeManagers,
 * the Docker daemon and the containers are real.
 */
class DockerContainersIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @SuppressWarnings("NullAway.Init") // set before every test
    private static DockerDaemon docker;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    private static List<String> mounts = List.of();

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        docker = DockerDaemon.start(directory.resolve("docker"));
        System.out.println(ExecutorStandIn.NOTICE);
        ExecutorStandIn standIn = ExecutorStandIn.install(directory);
        // The cluster's directory is known when it starts; before, only that it lies there.
        String temporary =
                Path.of(System.getProperty("java.io.tmpdir")).toRealPath().toString();
        String java = Path.of(System.getProperty("java.home")).toRealPath().toString();
        mounts = new ArrayList<>(List.of("/usr:/usr:ro"));
        if (!java.startsWith("/usr/")) {
            mounts.add(java + ":" + java + ":ro");
        }
        Map<String, String> settings = new HashMap<>(standIn.dockerSettings(Map.of(
                "docker.binary",
                docker.client(),
                "docker.allowed.ro-mounts",
                "/usr," + java,
                "docker.allowed.rw-mounts",
                temporary,
                "docker.allowed.networks",
                "host",
                "docker.allowed.runtimes",
                "nvidia")));
        settings.put("yarn.nodemanager.treadle.docker-devices", "nvidia-runtime");
        cluster = ProcessCluster.start(node -> settings);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) { // Null where the test is skipped.
            cluster.close();
        }
        if (docker != null) {
            docker.close();
        }
    }

    private static TrainingJob submit(String name) throws Exception {
        Files.createDirectories(cluster.staging());
        List<String> all = new ArrayList<>(mounts);
        all.add(cluster.staging() + ":" + cluster.staging() + ":rw");
        return TrainingJob.submit(
                cluster,
                name,
                JobSizes.ASKED_VCORES,
                true,
                """
                container:
                  image: %s
                  network: host
                  mounts: ["%s", "%%s:%%1$s:rw"]
                """
                        .formatted(DockerDaemon.IMAGE, String.join("\", \"", all)));
    }

    @Test
    void gangTrainsInItsImageWithItsSizesAndDevices() throws Exception {
        TrainingJob job = submit("gang-in-docker");
        Map<String, Size> sizes = JobSizes.awaitGrown(job);
        List<Worker> workers = job.workers();
        assertEquals(
                new TreeSet<>(sizes.keySet()), new TreeSet<>(List.of(running().split("\\s+"))));
        for (Worker worker : workers) {
            JsonNode container =
                    MAPPER.readTree(docker.run("inspect", worker.container())).get(0);
            assertEquals(DockerDaemon.IMAGE, container.at("/Config/Image").asText());
            Path control = Objects.requireNonNull(worker.resources().getParent());
            assertEquals(
                    Map.of(String.valueOf(control), false),
                    mountsBelow(container, String.valueOf(control.getParent())),
                    "its own control directory alone, read-only");
            assertEquals("nvidia", container.at("/HostConfig/Runtime").asText());
            assertEquals("host", container.at("/HostConfig/NetworkMode").asText());
            assertTrue(
                    StreamSupport.stream(container.at("/Config/Env").spliterator(), false)
                            .anyMatch(
                                    variable -> variable.asText().equals("NVIDIA_VISIBLE_DEVICES=" + worker.devices())),
                    () -> container.at("/Config/Env").toString());
        }
        assertEquals(0, job.finish(), job::tail);
        Await.until("removal of the containers", () -> docker.run("ps", "-aq").isEmpty());
        Leftovers.assertNone(cluster);
    }

    private static String running() throws Exception {
        return docker.run("ps", "--format", "{{.Names}}");
    }

    /** By its place in the container, whether each mount from there can be written. */
    private static Map<String, Boolean> mountsBelow(JsonNode container, String directory) {
        Map<String, Boolean> found = new TreeMap<>();
        container.path("Mounts").forEach(mount -> {
            if (mount.path("Source").asText().startsWith(directory)) {
                found.put(mount.path("Destination").asText(), mount.path("RW").asBoolean());
            }
        });
        return found;
    }
}
