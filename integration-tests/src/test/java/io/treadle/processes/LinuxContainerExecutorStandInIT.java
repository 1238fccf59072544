// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.processes.ContainerCgroups.Limits;
import io.treadle.processes.TrainingJob.Size;
import io.treadle.processes.TrainingJob.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gang under Hadoop's LinuxContainerExecutor with strict cgroups. {@link ExecutorStandIn} takes the place of Hadoop's
 * native container-executor; the NodeManagers, their processes and the kernel's cgroups are real.
 */
class LinuxContainerExecutorStandInIT {
    private static final ContainerCgroups CGROUPS = new ContainerCgroups();

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ExecutorStandIn standIn;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        ContainerCgroups.assumeWritable();
        System.out.println(ExecutorStandIn.NOTICE);
        standIn = ExecutorStandIn.install(directory);
        cluster = ProcessCluster.start(node -> standIn.settings(CGROUPS.hierarchy(node)));
    }

    @AfterAll
    static void stop() throws IOException {
        if (cluster != null) { // Null where the test is skipped.
            cluster.close();
            Await.until("removal of all cgroups", () -> {
                CGROUPS.remove();
                return true;
            });
        }
    }

    @Test
    void sizesReachTheKernelAndAreRightAgainAfterTheNodeManagersAreKilled() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "gang-on-cgroups", JobSizes.ASKED_VCORES, true);
        List<Worker> workers = job.awaitTraining();
        for (Worker worker : workers) {
            assertEquals(worker.devices(), environment(worker.pid(), "CUDA_VISIBLE_DEVICES"));
            String own = CGROUPS.cpu(worker.container()).getFileName().toString();
            assertTrue(cgroups(worker.pid()).endsWith("/" + own), () -> cgroups(worker.pid()));
        }
        awaitSizesInTheKernel(job, 2);
        Set<String> containers = JobSizes.awaitGrown(job).keySet();
        awaitLimits(job);
        Map<String, JsonNode> devices = JobSizes.devices(workers);

        for (int node = 0; node < ProcessCluster.NODES; node++) {
            cluster.killNodeManager(node);
        }
        Size asked = new Size(JobSizes.ASKED_VCORES, 0);
        for (String container : containers) {
            assertTrue(
                    CGROUPS.of(container).cpuShares() > expected(asked).cpuShares(),
                    "without NodeManagers " + container);
        }
        for (Worker worker : workers) {
            // As if the NodeManager had stored the new size and been killed before the cgroup had it.
            Files.writeString(CGROUPS.cpu(worker.container()).resolve("cpu.cfs_quota_us"), "77000");
        }
        for (int node = 0; node < ProcessCluster.NODES; node++) {
            cluster.startNodeManager(node);
        }
        cluster.awaitNodes();
        JobSizes.awaitAgreement(job);
        awaitLimits(job);
        assertEquals(devices, JobSizes.devices(workers));

        JobSizes.resizeByAnotherJob(cluster, job, "gang-on-cgroups-peer", agreed -> awaitLimits(job));
        assertEquals(workers, job.workers());
        assertTrue(workers.stream().allMatch(TrainingJob::isAlive), workers::toString);
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
        Await.until("removal of the containers' cgroups", () -> CGROUPS.all().isEmpty());
        assertTrue(standIn.calls().contains("launch " + workers.get(0).container()), () -> "the stand-in's calls");
    }

    /** Waits until the kernel has had, one after the other, so many different sizes of the job's containers. */
    private static void awaitSizesInTheKernel(TrainingJob job, int count) {
        TreeSet<Long> seen = new TreeSet<>();
        JobSizes.awaitRunning(job, count + " sizes in the kernel, one after the other", () -> {
            for (Map.Entry<String, Size> now : job.sizesAtTheWorkers().entrySet()) {
                if (CGROUPS.of(now.getKey()).equals(expected(now.getValue()))) {
                    seen.add(now.getValue().vcores());
                }
            }
            return seen.size() >= count;
        });
    }

    /** Waits until the kernel has the sizes that the containers have in that moment: the scheduler may change them again. */
    private static void awaitLimits(TrainingJob job) {
        JobSizes.awaitRunning(job, "the sizes in the kernel", () -> {
            for (Map.Entry<String, Size> now : job.sizesAtTheWorkers().entrySet()) {
                Limits limits = CGROUPS.of(now.getKey());
                if (!limits.equals(expected(now.getValue()))) {
                    throw new IOException("the kernel has " + limits + " for " + now);
                }
            }
            return true;
        });
    }

    private static Limits expected(Size size) {
        return ContainerCgroups.expected(size, ProcessCluster.NODE_VCORES);
    }

    private static String environment(long pid, String name) throws IOException {
        String all =
                new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")), StandardCharsets.UTF_8);
        return List.of(all.split("\0")).stream()
                .filter(entry -> entry.startsWith(name + "="))
                .map(entry -> entry.substring(name.length() + 1))
                .findFirst()
                .orElse("not set");
    }

    /** Path of the process's cgroup under the CPU controller. */
    private static String cgroups(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "cgroup")).stream()
                    .filter(line -> line.contains(":cpu:") || line.contains(":cpu,"))
                    .findFirst()
                    .orElse("none");
        } catch (IOException e) {
            return e.toString();
        }
    }
}
