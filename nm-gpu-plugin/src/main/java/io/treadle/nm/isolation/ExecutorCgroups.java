// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CpuResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerException;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerModule;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a container's new size to the cgroups of Hadoop's own executor, v1 or v2, through Hadoop's own handlers. Hadoop
 * 3.5.0 does that only when a container changes its execution type, not when it is resized
 * (ContainerScheduler.onUpdateContainer). A container that has no cgroup yet, or none any more, is passed over.
 */
public final class ExecutorCgroups {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorCgroups.class);

    /** Times the node: for so many vcores Hadoop's formula sets no quota at all (its period would be under 1 ms). */
    private static final int UNLIMITED_NODES = 1_001;

    private final Supplier<List<? extends ResourceHandler>> handlers;
    private final int strictNodeVcores;

    /** @param strictNodeVcores vcores of the node where CPU is strictly limited; 0 where it is only weighed */
    ExecutorCgroups(Supplier<List<? extends ResourceHandler>> handlers, int strictNodeVcores) {
        this.handlers = handlers;
        this.strictNodeVcores = strictNodeVcores;
    }

    /** Over the handlers of this NodeManager; there are none where the executor uses no cgroups. */
    public static ExecutorCgroups ofNodeManager(Configuration conf) {
        boolean strict = conf.getBoolean(
                YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_STRICT_RESOURCE_USAGE,
                YarnConfiguration.DEFAULT_NM_LINUX_CONTAINER_CGROUPS_STRICT_RESOURCE_USAGE);
        return new ExecutorCgroups(
                () -> Stream.of(
                                ResourceHandlerModule.getCpuResourceHandler(),
                                ResourceHandlerModule.getMemoryResourceHandler())
                        .filter(Objects::nonNull)
                        .toList(),
                strict ? NodeManagerHardwareUtils.getVCores(conf) : 0);
    }

    /** Applies the size that the container's token says now. */
    public void apply(Container container) {
        for (ResourceHandler handler : handlers.get()) {
            try {
                if (handler instanceof CpuResourceHandler && hasWholeNode(container)) {
                    handler.updateContainer(ofManyNodes(container));
                }
                handler.updateContainer(container);
            } catch (ResourceHandlerException e) {
                LOG.warn("cannot resize the cgroup of {}: {}", container.getContainerId(), e.toString());
            }
        }
    }

    /** Hadoop writes no quota for such a container, and so leaves it that of a smaller size that it had before. */
    private boolean hasWholeNode(Container container) {
        return strictNodeVcores > 0 && container.getResource().getVirtualCores() == strictNodeVcores;
    }

    /** The container as if it had the vcores of a thousand such nodes, for which Hadoop takes the quota away. */
    private Container ofManyNodes(Container container) {
        Resource many = Resource.newInstance(
                container.getResource().getMemorySize(), Math.multiplyExact(strictNodeVcores, UNLIMITED_NODES));
        return (Container) Proxy.newProxyInstance(
                Container.class.getClassLoader(), new Class<?>[] {Container.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getResource")) {
                        return many;
                    }
                    try {
                        return method.invoke(container, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
