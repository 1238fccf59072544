// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CGroupsHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.junit.jupiter.api.Test;

/** Hadoop's own CPU handler of LinuxContainerExecutor over the kernel's cgroups; only the container is a stand-in. */
class ExecutorCgroupsKernelTest {
    private static final Path CPU = Path.of("/sys/fs/cgroup/cpu");
    private static final String HADOOP = "org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.";

    private final Path hierarchy =
            CPU.resolve("treadle-test-" + ProcessHandle.current().pid());
    private final ContainerId id =
            ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 1);
    private final Path cgroup = hierarchy.resolve(id.toString());

    @Test
    void resizeReachesTheKernel() throws Exception {
        assumeTrue(Files.isWritable(CPU.resolve("cpu.shares")), "no writable cgroup v1 cpu controller at " + CPU);
        Configuration conf = new Configuration(false);
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.hierarchy", "/" + hierarchy.getFileName());
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.mount", "false");
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.strict-resource-usage", "true");
        conf.set("yarn.nodemanager.resource.cpu-vcores", "8");
        try {
            ResourceHandler cpu = cpuHandler(conf);
            var unused = cpu.bootstrap(conf);
            unused = cpu.preStart(container(1));
            assertEquals("1024", read("cpu.shares"));
            final long quota = Long.parseLong(read("cpu.cfs_quota_us"));
            new ExecutorCgroups(() -> List.of(cpu)).apply(container(2));
            assertEquals("2048", read("cpu.shares"));
            assertEquals(2 * quota, Long.parseLong(read("cpu.cfs_quota_us")));
        } finally {
            Files.deleteIfExists(cgroup);
            Files.deleteIfExists(hierarchy);
        }
    }

    /** Hadoop makes these two only inside its own package. */
    private static ResourceHandler cpuHandler(Configuration conf) throws ReflectiveOperationException {
        var groups = Class.forName(HADOOP + "CGroupsHandlerImpl")
                .getDeclaredConstructor(Configuration.class, PrivilegedOperationExecutor.class);
        groups.setAccessible(true);
        var cpu = Class.forName(HADOOP + "CGroupsCpuResourceHandlerImpl").getDeclaredConstructor(CGroupsHandler.class);
        cpu.setAccessible(true);
        return (ResourceHandler)
                cpu.newInstance(groups.newInstance(conf, PrivilegedOperationExecutor.getInstance(conf)));
    }

    private Container container(int vcores) {
        ContainerTokenIdentifier token = mock(ContainerTokenIdentifier.class);
        when(token.getExecutionType()).thenReturn(ExecutionType.GUARANTEED);
        Container container = mock(Container.class);
        when(container.getContainerId()).thenReturn(id);
        when(container.getContainerTokenIdentifier()).thenReturn(token);
        when(container.getResource()).thenReturn(Resource.newInstance(1024, vcores));
        return container;
    }

    private String read(String file) throws IOException {
        return Files.readString(cgroup.resolve(file)).strip();
    }
}
