// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the ResourceManager's word on to the job. Nothing comes before {@link #connect}. */
final class YarnEvents extends AMRMClientAsync.AbstractCallbackHandler {
    private static final Logger LOG = LoggerFactory.getLogger(YarnEvents.class);

    private static final Set<Integer> BLAMELESS = Set.of(
            ContainerExitStatus.ABORTED,
            ContainerExitStatus.DISKS_FAILED,
            ContainerExitStatus.PREEMPTED,
            ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
            ContainerExitStatus.KILLED_AFTER_APP_COMPLETION);

    private record Target(YarnRmGateway rm, JobMaster job) {}

    private final Runnable onShutdown;
    private volatile @Nullable Target target;

    /** @param onShutdown the ResourceManager wants this attempt to end without a word */
    YarnEvents(Runnable onShutdown) {
        this.onShutdown = onShutdown;
    }

    void connect(YarnRmGateway rm, JobMaster job) {
        target = new Target(rm, job);
    }

    @Override
    public void onContainersAllocated(List<Container> containers) {
        Target to = target;
        if (to != null) {
            to.job().onGranted(to.rm().granted(containers));
        }
    }

    @Override
    public void onContainersReceivedFromPreviousAttempts(List<Container> containers) {
        Target to = target;
        if (to != null) {
            // These repeat what the registration has told; only late ones are strange to the job.
            for (Container container : containers) {
                GrantedContainer known = to.rm().known(container);
                if (!to.job().owns(known.id())) {
                    LOG.info("container {} of an earlier attempt came late, released", known.id());
                    to.rm().release(known.id());
                }
            }
        }
    }

    @Override
    public void onContainersCompleted(List<ContainerStatus> statuses) {
        Target to = target;
        if (to != null) {
            to.job().onLost(statuses.stream().map(YarnEvents::lost).toList());
            statuses.forEach(s -> to.rm().ended(s.getContainerId().toString()));
        }
    }

    private static LostContainer lost(ContainerStatus status) {
        return new LostContainer(
                status.getContainerId().toString(),
                status.getExitStatus(),
                BLAMELESS.contains(status.getExitStatus()),
                String.valueOf(status.getDiagnostics()).strip());
    }

    @Override
    public void onContainersUpdated(List<UpdatedContainer> updates) {
        Target to = target;
        if (to != null) {
            for (UpdatedContainer update : updates) {
                Container container = update.getContainer();
                to.rm().updated(container);
                to.job()
                        .onResized(
                                container.getId().toString(),
                                container.getResource().getVirtualCores(),
                                container.getResource().getMemorySize(),
                                container.getVersion());
            }
        }
    }

    @Override
    public void onPreemptionMessageReceived(PreemptionMessage message) {
        Target to = target;
        if (to != null && (message.getContract() != null || message.getStrictContract() != null)) {
            to.job().onPreemptionMessage();
        }
    }

    @Override
    public void onShutdownRequest() {
        onShutdown.run();
    }

    @Override
    public void onNodesUpdated(List<NodeReport> nodes) {}

    @Override
    public float getProgress() {
        Target to = target;
        return to == null ? 0 : to.job().progress();
    }

    @Override
    public void onError(Throwable cause) {
        LOG.error("the ResourceManager's client has failed", cause);
        onShutdown.run();
    }
}
