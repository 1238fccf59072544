// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import io.treadle.processes.TrainingJob.Size;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CGroupsCpuResourceHandlerImpl;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.junit.jupiter.api.Assumptions;

/** The kernel's cgroups (v1) of containers under LinuxContainerExecutor; each node has a hierarchy of its own. */
final class ContainerCgroups {
    private static final Path CPU = Path.of("/sys/fs/cgroup/cpu");
    private static final Path MEMORY = Path.of("/sys/fs/cgroup/memory");
    private static final int SHARES_OF_A_VCORE = 1024;

    private final String prefix = "treadle-it-" + ProcessHandle.current().pid() + "-";

    /** What the kernel is told of one container: µs, and bytes. */
    record Limits(long cpuShares, long periodMicros, long quotaMicros, long memoryBytes) {}

    static void assumeWritable() {
        for (Path controller : List.of(CPU.resolve("cpu.cfs_quota_us"), MEMORY.resolve("memory.limit_in_bytes"))) {
            Assumptions.assumeTrue(
                    Files.isWritable(controller.getParent()) && Files.exists(controller),
                    "skipped: " + controller.getParent() + " is not a cgroup v1 controller that this user can write");
        }
    }

    String hierarchy(String node) {
        return prefix + node;
    }

    /** By Hadoop's own formula for strict limits, on a node of {@code nodeVcores}. */
    static Limits expected(Size size, int nodeVcores) {
        float cores = NodeManagerHardwareUtils.getContainersCPUs(new Configuration(false));
        int[] limits = CGroupsCpuResourceHandlerImpl.getOverallLimits(size.vcores() * cores / nodeVcores);
        return new Limits(SHARES_OF_A_VCORE * size.vcores(), limits[0], limits[1], size.memoryMiB() << 20);
    }

    Limits of(String container) throws IOException {
        Path cpu = cpu(container);
        return new Limits(
                number(cpu.resolve("cpu.shares")),
                number(cpu.resolve("cpu.cfs_period_us")),
                number(cpu.resolve("cpu.cfs_quota_us")),
                number(find(MEMORY, container).get(0).resolve("memory.limit_in_bytes")));
    }

    /** The container's directory under the CPU controller. */
    Path cpu(String container) throws IOException {
        List<Path> found = find(CPU, container);
        if (found.size() != 1) {
            throw new IOException("cgroups of " + container + " under " + CPU + ": " + found);
        }
        return found.get(0);
    }

    /** All cgroups of containers that are there, under both controllers. */
    List<Path> all() throws IOException {
        List<Path> all = new ArrayList<>(find(CPU, "container_*"));
        all.addAll(find(MEMORY, "container_*"));
        return all;
    }

    /** Removes what the nodes have made; their containers must have ended. */
    void remove() throws IOException {
        for (Path container : all()) {
            Files.delete(container);
        }
        for (Path controller : List.of(CPU, MEMORY)) {
            for (Path hierarchy : list(controller, prefix + "*")) {
                Files.delete(hierarchy);
            }
        }
    }

    private List<Path> find(Path controller, String containers) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path hierarchy : list(controller, prefix + "*")) {
            found.addAll(list(hierarchy, containers));
        }
        return found;
    }

    private static List<Path> list(Path directory, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
            entries.forEach(found::add);
        }
        return found;
    }

    private static long number(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }
}
