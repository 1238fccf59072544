// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerException;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerModule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a container's new size to the cgroups of Hadoop's own executor. Hadoop 3.5.0 does that only when a container
 * changes its execution type, not when it is resized (ContainerScheduler.onUpdateContainer).
 */
public final class ExecutorCgroups {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorCgroups.class);

    private final Supplier<List<? extends ResourceHandler>> handlers;

    ExecutorCgroups(Supplier<List<? extends ResourceHandler>> handlers) {
        this.handlers = handlers;
    }

    /** Over the handlers of this NodeManager; there are none where the executor uses no cgroups. */
    public static ExecutorCgroups ofNodeManager() {
        return new ExecutorCgroups(() -> Stream.of(
                        ResourceHandlerModule.getCpuResourceHandler(), ResourceHandlerModule.getMemoryResourceHandler())
                .filter(Objects::nonNull)
                .toList());
    }

    /** Applies the size that the container's token says now. */
    public void apply(Container container) {
        for (ResourceHandler handler : handlers.get()) {
            try {
                handler.updateContainer(container);
            } catch (ResourceHandlerException e) {
                LOG.warn("cannot resize the cgroup of {}: {}", container.getContainerId(), e.toString());
            }
        }
    }
}
