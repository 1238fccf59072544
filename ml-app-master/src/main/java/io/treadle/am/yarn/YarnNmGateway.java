// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManagers through Hadoop's client. Containers are only started here: the ResourceManager ends them when they
 * are released, also those of an earlier attempt, which this client refuses to touch, and resizes them itself
 * ({@code yarn.resourcemanager.auto-update.containers}).
 */
public final class YarnNmGateway implements NmGateway {
    private static final Logger LOG = LoggerFactory.getLogger(YarnNmGateway.class);

    private final NMClientAsync client;
    private final YarnRmGateway rm;
    private final Function<GrantedContainer, ContainerLaunchContext> launch;

    /** @param launch what is started in a container */
    public YarnNmGateway(
            NMClientAsync client, YarnRmGateway rm, Function<GrantedContainer, ContainerLaunchContext> launch) {
        this.client = client;
        this.rm = rm;
        this.launch = launch;
    }

    @Override
    public void start(GrantedContainer container) {
        client.startContainerAsync(rm.container(container.id()), launch.apply(container));
    }

    /** Says which starts failed; all else comes from the ResourceManager and the runners. */
    public static final class Callbacks extends NMClientAsync.AbstractCallbackHandler {
        private final BiConsumer<String, String> onStartFailed;

        public Callbacks(BiConsumer<String, String> onStartFailed) {
            this.onStartFailed = onStartFailed;
        }

        @Override
        public void onStartContainerError(ContainerId id, Throwable cause) {
            onStartFailed.accept(id.toString(), String.valueOf(cause.getMessage()));
        }

        @Override
        public void onContainerStarted(ContainerId id, Map<String, ByteBuffer> services) {
            LOG.info("started in {}", id);
        }

        @Override
        public void onContainerStatusReceived(ContainerId id, ContainerStatus status) {}

        @Override
        public void onContainerStopped(ContainerId id) {}

        @Override
        @SuppressWarnings("deprecation") // Abstract in Hadoop's class, and superseded there by the next method.
        public void onContainerResourceIncreased(ContainerId id, Resource resource) {}

        @Override
        public void onContainerResourceUpdated(ContainerId id, Resource resource) {}

        @Override
        public void onGetContainerStatusError(ContainerId id, Throwable cause) {}

        @Override
        @SuppressWarnings("deprecation") // Abstract in Hadoop's class, and superseded there by the next method.
        public void onIncreaseContainerResourceError(ContainerId id, Throwable cause) {}

        @Override
        public void onUpdateContainerResourceError(ContainerId id, Throwable cause) {}

        @Override
        public void onStopContainerError(ContainerId id, Throwable cause) {}
    }
}
