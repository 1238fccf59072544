// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.profile.Telemetry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * With YARN's lazy preemption a container ends when another one is committed in its place. Its devices are free only when its node
 * says that it is gone. Until then the node is reserved for the one that it ended for, so that no more end than containers are asked
 * for, and nobody else takes the devices. The caller holds the scheduler's write lock.
 */
final class KillableHolders {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;

    KillableHolders(SchedulerAccess scheduler, Telemetry telemetry) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /** Whether the node is reserved for the proposal's container, whose devices come when containers that end have gone. */
    boolean areEndingFor(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal, ResourceVector size) {
        FiCaSchedulerNode node = proposal.getAllocatedOrReservedContainer().getSchedulerNode();
        return proposal.getAllocateFromReservedContainer() != null
                && NodeDevices.of(node, telemetry)
                        .filter(devices -> suffices(devices.without(going(node)), node, size))
                        .isPresent();
    }

    /**
     * Ends those in whose place the proposal would put its container, where their devices are missing and suffice.
     *
     * @param proposal one that CapacityScheduler would commit
     * @return whether the node is reserved for the proposal's container now
     */
    boolean makeWay(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal, ResourceVector size) {
        FiCaSchedulerNode node = proposal.getAllocatedOrReservedContainer().getSchedulerNode();
        Optional<NodeDevices> devices = NodeDevices.of(node, telemetry);
        boolean isReserved = proposal.getAllocateFromReservedContainer() != null;
        if (devices.isEmpty() || !(isReserved || waitsForMore(proposal.getAllocatedOrReservedContainer()))) {
            return false;
        }
        Set<ContainerId> gone = going(node);
        List<RMContainer> holders = List.of();
        if (!suffices(devices.get().without(gone), node, size)) {
            holders = proposal.getToRelease().stream()
                    .map(SchedulerContainer::getRmContainer)
                    .filter(held -> Victims.isLive(held) && NodeDevices.needsDevices(YarnResources.taken(held)))
                    .toList();
            gone.addAll(ids(holders.stream()));
            if (!suffices(devices.get().without(gone), node, size)) {
                return false;
            }
        }
        holders.forEach(scheduler::endByPreemption);
        return isReserved || reserve(proposal);
    }

    /** Containers that have been ended and hold their devices until the node says that they are gone. */
    private static Set<ContainerId> going(FiCaSchedulerNode node) {
        return ids(node.getCopiedListOfRunningContainers().stream().filter(container -> !Victims.isLive(container)));
    }

    private boolean suffices(NodeDevices devices, FiCaSchedulerNode node, ResourceVector size) {
        return devices.choose(size, scheduler.formingRoom().devices(node.getNodeID()))
                .isPresent();
    }

    /** Whether more containers are asked for than have nodes reserved for them. */
    private static boolean waitsForMore(SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container) {
        FiCaSchedulerApp app = container.getSchedulerApplicationAttempt();
        return app.getNumReservedContainers(container.getSchedulerRequestKey())
                < app.getOutstandingAsksCount(container.getSchedulerRequestKey());
    }

    private boolean reserve(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        return scheduler.commitPlanned(new ResourceCommitRequest<>(
                List.of(),
                List.of(new ContainerAllocationProposal<>(
                        new SchedulerContainer<>(
                                container.getSchedulerApplicationAttempt(),
                                container.getSchedulerNode(),
                                container.getRmContainer(),
                                container.getNodePartition(),
                                false),
                        List.of(),
                        null,
                        proposal.getAllocationLocalityType(),
                        proposal.getRequestLocalityType(),
                        proposal.getSchedulingMode(),
                        proposal.getAllocatedOrReservedResource())),
                List.of()));
    }

    private static Set<ContainerId> ids(Stream<RMContainer> containers) {
        return containers.map(RMContainer::getContainerId).collect(Collectors.toSet());
    }
}
