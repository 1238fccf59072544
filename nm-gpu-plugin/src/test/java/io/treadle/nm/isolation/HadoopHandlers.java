// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

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

/** Hadoop's own cgroup handlers of LinuxContainerExecutor, which Hadoop makes only inside its own package. */
final class HadoopHandlers {
    static final int NODE_VCORES = 8;
    static final ContainerId ID =
            ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 1);

    private static final String RESOURCES =
            "org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.";

    private HadoopHandlers() {}

    /** Strict limits on a node of {@link #NODE_VCORES}. */
    static Configuration settings(String hierarchy) {
        Configuration conf = new Configuration(false);
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.hierarchy", "/" + hierarchy);
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.mount", "false");
        conf.set("yarn.nodemanager.linux-container-executor.cgroups.strict-resource-usage", "true");
        conf.set("yarn.nodemanager.resource.cpu-vcores", Integer.toString(NODE_VCORES));
        return conf;
    }

    /**
     * @param groups Hadoop's class for one version of cgroups
     * @param handler Hadoop's class for one resource on it
     */
    static ResourceHandler bootstrap(Configuration conf, String groups, String handler) throws Exception {
        var ofGroups = Class.forName(RESOURCES + groups)
                .getDeclaredConstructor(Configuration.class, PrivilegedOperationExecutor.class);
        ofGroups.setAccessible(true);
        var ofHandler = Class.forName(RESOURCES + handler).getDeclaredConstructor(CGroupsHandler.class);
        ofHandler.setAccessible(true);
        ResourceHandler made = (ResourceHandler)
                ofHandler.newInstance(ofGroups.newInstance(conf, PrivilegedOperationExecutor.getInstance(conf)));
        var unused = made.bootstrap(conf);
        return made;
    }

    static Container container(int vcores, long memoryMiB) {
        ContainerTokenIdentifier token = mock(ContainerTokenIdentifier.class);
        when(token.getExecutionType()).thenReturn(ExecutionType.GUARANTEED);
        Container container = mock(Container.class);
        when(container.getContainerId()).thenReturn(ID);
        when(container.getContainerTokenIdentifier()).thenReturn(token);
        when(container.getResource()).thenReturn(Resource.newInstance(memoryMiB, vcores));
        return container;
    }
}
