// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.hadoop.HadoopVersion;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.SettingException;
import java.time.Clock;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's door to Treadle: {@code yarn.nodemanager.container-state-transition-listener.classes}. It turns
 * container transitions into calls of {@link ContainerAgent}. Nothing is ever thrown from here: an exception in a
 * callback would end the NodeManager's dispatcher, and with it the NodeManager.
 */
public final class TreadleNodeListener implements ContainerStateTransitionListener {
    private static final Logger LOG = LoggerFactory.getLogger(TreadleNodeListener.class);

    /** States from which a container comes back to be launched once more, with a launch context that may be new. */
    private static final Set<ContainerState> BEFORE_RELAUNCH =
            Set.of(ContainerState.RUNNING, ContainerState.REINITIALIZING, ContainerState.REINITIALIZING_AWAITING_KILL);

    private static final Set<ContainerState> ENDING = Set.of(
            ContainerState.KILLING,
            ContainerState.EXITED_WITH_SUCCESS,
            ContainerState.EXITED_WITH_FAILURE,
            ContainerState.CONTAINER_CLEANEDUP_AFTER_KILL,
            ContainerState.CONTAINER_RESOURCES_CLEANINGUP,
            ContainerState.LOCALIZATION_FAILED);

    private volatile @Nullable NodePlugin plugin;

    @Override
    public void init(Context context) {
        HadoopVersion hadoop = new HadoopVersion(VersionInfo.getVersion());
        if (hadoop.refusal().isPresent()) {
            LOG.error(
                    "Treadle is off on this node, which runs as a plain CPU node: {}",
                    hadoop.refusal().get());
            return;
        }
        hadoop.warning().ifPresent(LOG::warn);
        try {
            NodePlugin started = NodePlugin.create(NodeConf.from(context.getConf()), context, Clock.systemUTC());
            plugin = started;
            started.start();
        } catch (SettingException e) {
            LOG.error("Treadle is off on this node, which runs as a plain CPU node: {}", e.getMessage());
        } catch (Throwable e) {
            LOG.error("Treadle is off on this node, which runs as a plain CPU node", e);
        }
    }

    @Override
    public void preTransition(ContainerImpl container, ContainerState before, ContainerEvent event) {
        call(event, agent -> {
            if (before == ContainerState.NEW && event.getType() == ContainerEventType.INIT_CONTAINER) {
                agent.starting(container);
            }
        });
    }

    @Override
    public void postTransition(
            ContainerImpl container, ContainerState before, ContainerState after, ContainerEvent event) {
        call(event, agent -> {
            if (after == ContainerState.DONE && before != ContainerState.DONE) {
                agent.ended(container);
            } else if (event.getType() == ContainerEventType.UPDATE_CONTAINER_TOKEN && !ENDING.contains(after)) {
                agent.resized(container);
            } else if (after == ContainerState.SCHEDULED && BEFORE_RELAUNCH.contains(before)) {
                agent.prepare(container);
            } else if (before != after && ENDING.contains(after)) {
                agent.leaving(container);
            }
        });
    }

    /** The plugin behind this listener; null where a wrong setting has switched it off. */
    @Nullable
    NodePlugin plugin() {
        return plugin;
    }

    private void call(ContainerEvent event, Consumer<ContainerAgent> action) {
        NodePlugin running = plugin;
        if (running == null) {
            return;
        }
        try {
            action.accept(running.agent());
        } catch (Throwable e) {
            // The event names its container; to ask the container itself could fail once more.
            LOG.error(
                    "{} of {} went wrong; the container goes on without Treadle",
                    event == null ? null : event.getType(),
                    event == null ? null : event.getContainerID(),
                    e);
        }
    }
}
