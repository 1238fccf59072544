// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import java.util.function.BiConsumer;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CGroupsHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.docker.DockerRunCommand;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.docker.DockerVolumeCommand;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.DockerCommandPlugin;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.NodeResourceUpdaterPlugin;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.ResourcePlugin;
import org.apache.hadoop.yarn.server.nodemanager.webapp.dao.NMResourceInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A resource plugin that does one thing: it changes the command by which a Docker container is run. */
final class DockerCommandChanger implements ResourcePlugin, DockerCommandPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(DockerCommandChanger.class);

    private final BiConsumer<String, DockerRunCommand> change;

    /** @param change gets the container's id and the command */
    DockerCommandChanger(BiConsumer<String, DockerRunCommand> change) {
        this.change = change;
    }

    @Override
    public void updateDockerRunCommand(DockerRunCommand command, Container container) {
        try {
            change.accept(container.getContainerId().toString(), command);
        } catch (RuntimeException e) {
            LOG.error("{} gets no devices from Treadle", container.getContainerId(), e);
        }
    }

    @Override
    public @Nullable DockerVolumeCommand getCreateDockerVolumeCommand(Container container) {
        return null;
    }

    @Override
    public @Nullable DockerVolumeCommand getCleanupDockerVolumesCommand(Container container) {
        return null;
    }

    @Override
    public DockerCommandPlugin getDockerCommandPluginInstance() {
        return this;
    }

    @Override
    public void initialize(Context context) {}

    @Override
    public @Nullable ResourceHandler createResourceHandler(
            Context context, CGroupsHandler cgroups, PrivilegedOperationExecutor executor) {
        return null;
    }

    @Override
    public @Nullable NodeResourceUpdaterPlugin getNodeResourceHandlerInstance() {
        return null;
    }

    @Override
    public void cleanup() {}

    @Override
    public NMResourceInfo getNMResourceInfo() {
        return new NMResourceInfo();
    }
}
