// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static io.treadle.nm.isolation.HadoopHandlers.NODE_VCORES;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.AbstractCGroupsCpuResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own handlers for cgroup v2 over a stand-in for the kernel: a directory tree with the files that a cgroup v2
 * mount has. What is written, and where, is Hadoop's doing; that a kernel takes it is not shown here.
 */
class ExecutorCgroupsV2StandInTest {
    private static final long MEMORY_MIB = 2048;

    private final Path mount;
    private final Path cgroup;
    private final Configuration conf;

    ExecutorCgroupsV2StandInTest(@TempDir Path mount) {
        this.mount = mount;
        this.cgroup = mount.resolve("yarn").resolve(HadoopHandlers.ID.toString());
        this.conf = HadoopHandlers.settings("yarn");
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.mount-path", mount.toString());
    }

    @BeforeEach
    void likeTheKernel() throws IOException {
        for (Path level : List.of(mount, mount.resolve("yarn"), cgroup)) {
            Files.createDirectories(level);
            Files.writeString(level.resolve("cgroup.controllers"), "cpu memory");
            Files.writeString(level.resolve("cgroup.subtree_control"), "");
            Files.writeString(level.resolve("cpu.max"), "max 100000\n");
            Files.writeString(level.resolve("cpu.weight"), "100\n");
            Files.writeString(level.resolve("memory.max"), "max\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void resizeWritesWhatHadoopWritesForANewContainerOfThatSize(int vcores) throws Exception {
        ResourceHandler cpu = cpu();
        var unused = cpu.preStart(HadoopHandlers.container(4, MEMORY_MIB));
        assertEquals(expectedMax(4), read("cpu.max"));
        assertEquals("400", read("cpu.weight"));
        resize(cpu, vcores, MEMORY_MIB);
        assertEquals(expectedMax(vcores), read("cpu.max"));
        assertEquals(Integer.toString(100 * vcores), read("cpu.weight"));
    }

    @Test
    void quotaOfASmallerSizeGoesWhenAContainerGrowsToTheWholeNode() throws Exception {
        ResourceHandler cpu = cpu();
        var unused = cpu.preStart(HadoopHandlers.container(1, MEMORY_MIB));
        resize(cpu, NODE_VCORES, MEMORY_MIB);
        assertEquals("max", read("cpu.max").split(" ", -1)[0]);
        assertEquals("800", read("cpu.weight"));
        resize(cpu, 2, MEMORY_MIB);
        assertEquals(expectedMax(2), read("cpu.max"));
    }

    @Test
    void memoryFollows() throws Exception {
        ResourceHandler memory =
                HadoopHandlers.bootstrap(conf, "CGroupsV2HandlerImpl", "CGroupsV2MemoryResourceHandlerImpl");
        resize(memory, 2, 3000);
        assertEquals("3000M", read("memory.max"));
        resize(memory, 2, 1000);
        assertEquals("1000M", read("memory.max"));
    }

    private ResourceHandler cpu() throws Exception {
        return HadoopHandlers.bootstrap(conf, "CGroupsV2HandlerImpl", "CGroupsV2CpuResourceHandlerImpl");
    }

    private static void resize(ResourceHandler handler, int vcores, long memoryMiB) {
        new ExecutorCgroups(() -> List.of(handler), NODE_VCORES).apply(HadoopHandlers.container(vcores, memoryMiB));
    }

    /** Hadoop's formula for strict limits, in the kernel's form: quota and period, µs. */
    private String expectedMax(int vcores) {
        float cores = NodeManagerHardwareUtils.getContainersCPUs(conf);
        int[] limits = AbstractCGroupsCpuResourceHandler.getOverallLimits(vcores * cores / NODE_VCORES);
        return limits[1] + " " + limits[0];
    }

    private String read(String file) throws IOException {
        return Files.readString(cgroup.resolve(file)).strip();
    }
}
