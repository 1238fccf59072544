// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static io.treadle.nm.isolation.HadoopHandlers.NODE_VCORES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hadoop's own CPU handler of LinuxContainerExecutor over the kernel's cgroups v1; only the container is a stand-in. */
class ExecutorCgroupsKernelTest {
    private static final Path CPU = Path.of("/sys/fs/cgroup/cpu");
    private static final long MEMORY_MIB = 1024;

    private final Path hierarchy =
            CPU.resolve("treadle-test-" + ProcessHandle.current().pid());
    private final Path cgroup = hierarchy.resolve(HadoopHandlers.ID.toString());

    @SuppressWarnings("NullAway.Init") // set before every test
    private ResourceHandler cpu;

    @BeforeEach
    void bootstrap() throws Exception {
        assumeTrue(Files.isWritable(CPU.resolve("cpu.shares")), "no writable cgroup v1 cpu controller at " + CPU);
        cpu = HadoopHandlers.bootstrap(
                HadoopHandlers.settings(String.valueOf(hierarchy.getFileName())),
                "CGroupsHandlerImpl",
                "CGroupsCpuResourceHandlerImpl");
    }

    @AfterEach
    void remove() throws IOException {
        Files.deleteIfExists(cgroup);
        Files.deleteIfExists(hierarchy);
    }

    @Test
    void resizeReachesTheKernel() throws Exception {
        var unused = cpu.preStart(HadoopHandlers.container(1, MEMORY_MIB));
        assertEquals("1024", read("cpu.shares"));
        final long quota = Long.parseLong(read("cpu.cfs_quota_us"));
        apply(2);
        assertEquals("2048", read("cpu.shares"));
        assertEquals(2 * quota, Long.parseLong(read("cpu.cfs_quota_us")));
    }

    @Test
    void quotaOfASmallerSizeGoesWhenAContainerGrowsToTheWholeNode() throws Exception {
        var unused = cpu.preStart(HadoopHandlers.container(1, MEMORY_MIB));
        final String quota = read("cpu.cfs_quota_us");
        apply(NODE_VCORES);
        assertEquals("-1", read("cpu.cfs_quota_us"));
        assertEquals("8192", read("cpu.shares"));
        apply(1);
        assertEquals(quota, read("cpu.cfs_quota_us"));
        assertEquals("1024", read("cpu.shares"));
    }

    @Test
    void containerWithoutACgroupGetsNone() {
        apply(2);
        apply(NODE_VCORES);
        assertFalse(Files.exists(cgroup), "left behind for a container that has ended");
    }

    private void apply(int vcores) {
        new ExecutorCgroups(() -> List.of(cpu), NODE_VCORES).apply(HadoopHandlers.container(vcores, MEMORY_MIB));
    }

    private String read(String file) throws IOException {
        return Files.readString(cgroup.resolve(file)).strip();
    }
}
