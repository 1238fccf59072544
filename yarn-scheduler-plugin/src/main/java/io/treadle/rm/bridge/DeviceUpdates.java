// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.profile.Telemetry;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Keeps container updates to what a node can carry out: a container keeps the GPUs with which it started. YARN would count
 * other GPUs than the container holds, and would give those of a demoted container to a second one.
 */
public final class DeviceUpdates {
    private final AbstractYarnScheduler<?, ?> scheduler;
    private final Telemetry telemetry;

    public DeviceUpdates(AbstractYarnScheduler<?, ?> scheduler, Telemetry telemetry) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /**
     * A decrease that would give up GPUs gives up the rest alone: an application that knows of no GPUs names none when it gives
     * back memory.
     *
     * @throws YarnRuntimeException for the first update that cannot be obeyed: Hadoop answers the ApplicationMaster's
     *     heartbeat with it, and nothing of the heartbeat is carried out
     */
    public void check(ContainerUpdates updates) {
        updates.getDecreaseRequests().forEach(this::keepDevices);
        updates.getIncreaseRequests().forEach(this::refuseOtherDevices);
        refuseOtherType(updates.getPromotionRequests());
        refuseOtherType(updates.getDemotionRequests());
    }

    private void keepDevices(UpdateContainerRequest request) {
        ResourceVector has = size(request);
        if (request.getCapability() != null && NodeDevices.needsDevices(has)) {
            Resource kept = Resources.clone(request.getCapability());
            YarnResources.setDevices(kept, has);
            request.setCapability(kept);
        }
    }

    private void refuseOtherDevices(UpdateContainerRequest request) {
        ResourceVector has = size(request);
        if (request.getCapability() == null || has.equals(ResourceVector.ZERO)) {
            return;
        }
        ResourceVector wanted = YarnResources.vector(request.getCapability());
        if (has.gpus() != wanted.gpus() || has.gpuMemoryMiB() != wanted.gpuMemoryMiB()) {
            throw RefusedRequest.of("treadle: container " + request.getContainerId()
                    + " has "
                    + has.gpus() + " GPUs and " + has.gpuMemoryMiB() + " MiB of GPU memory, the update asks for "
                    + wanted.gpus() + " and " + wanted.gpuMemoryMiB()
                    + "; a running container keeps its GPUs.\nMaybe ask for a new container.");
        }
    }

    private void refuseOtherType(List<UpdateContainerRequest> requests) {
        for (UpdateContainerRequest request : requests) {
            if (NodeDevices.needsDevices(size(request))) {
                throw RefusedRequest.of("treadle: container " + request.getContainerId()
                        + " holds GPUs and cannot become " + request.getExecutionType()
                        + "; a container with GPUs keeps its execution type.\nMaybe release it and ask for a new one.");
            }
        }
    }

    /** What the container has; nothing where it is gone, or the devices of its node are unknown. */
    private ResourceVector size(UpdateContainerRequest request) {
        RMContainer container = scheduler.getRMContainer(request.getContainerId());
        return container == null
                        || telemetry
                                .node(container.getAllocatedNode().toString())
                                .isEmpty()
                ? ResourceVector.ZERO
                : YarnResources.vector(container.getAllocatedResource());
    }
}
