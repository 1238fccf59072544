// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.profile.Telemetry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * With YARN's lazy preemption a container ends when another one is committed in its place. Its devices are free only when its node
 * says that it is gone. Until then the node is reserved for the one that it ended for, so that no more end than containers are asked
 * for, and nobody else takes the devices. The caller of what changes something holds the scheduler's write lock.
 */
final class KillableHolders {
    /** A container that has been ended and is still on its node after so long may never go. As long as YARN's own GPU plugin waits. */
    private static final long PATIENCE_MS = 120_000;

    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;

    KillableHolders(SchedulerAccess scheduler, Telemetry telemetry) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /** Whether the proposal is from a reservation, and what it needs comes when containers have gone that were ended already. */
    boolean areEndingFor(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal, ResourceVector size) {
        return proposal.getAllocateFromReservedContainer() != null
                && (proposal.getToRelease().stream().anyMatch(held -> isGoing(held.getRmContainer()))
                        || suffice(going(node(proposal)).values(), node(proposal), size));
    }

    /** Whether as many nodes as containers are asked for are reserved, and what is reserved is free or becomes so. */
    boolean areComingForAll(FiCaSchedulerApp app, SchedulerRequestKey key) {
        long coming = app.getReservedContainers().stream()
                .filter(reserved -> key.equals(reserved.getReservedSchedulerKey()))
                .filter(this::isComing)
                .count();
        return coming > 0 && coming >= app.getOutstandingAsksCount(key);
    }

    /** Whether what is reserved is free now, or will be when containers have gone that were ended already. */
    private boolean isComing(RMContainer reserved) {
        return scheduler
                .node(reserved.getReservedNode())
                .filter(node ->
                        suffice(going(node).values(), node, YarnResources.vector(reserved.getReservedResource())))
                .isPresent();
    }

    /**
     * Ends those in whose place the proposal would put its container, where its devices are missing and come by that.
     *
     * @param proposal one that CapacityScheduler would commit
     * @return whether the node is reserved for the proposal's container now
     */
    boolean makeWay(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal, ResourceVector size) {
        FiCaSchedulerNode node = node(proposal);
        Map<ContainerId, RMContainer> gone = going(node);
        Map<ContainerId, RMContainer> ends =
                suffice(gone.values(), node, size) ? Map.of() : toEnd(proposal, size, gone);
        gone.putAll(ends);
        if (!suffice(gone.values(), node, size)) {
            return false;
        }
        List<RMContainer> reservations = proposal.getToRelease().stream()
                .map(SchedulerContainer::getRmContainer)
                .filter(container -> container.getState() == RMContainerState.RESERVED)
                .toList();
        if (reservations.stream().anyMatch(this::isComing)) {
            // CapacityScheduler would move it here, and what ended for it would have ended in vain.
            return false;
        }
        // What it holds in its queue is needed for the new one.
        reservations.forEach(scheduler::unreserve);
        ends.values().forEach(scheduler::endByPreemption);
        return proposal.getAllocateFromReservedContainer() != null || reserve(proposal);
    }

    /** Of those that CapacityScheduler would end, and of others that it may, no more than have to. */
    private Map<ContainerId, RMContainer> toEnd(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal,
            ResourceVector size,
            Map<ContainerId, RMContainer> going) {
        FiCaSchedulerNode node = node(proposal);
        Map<ContainerId, RMContainer> all = new LinkedHashMap<>(going);
        Map<ContainerId, RMContainer> ends = new LinkedHashMap<>();
        proposal.getToRelease().stream()
                .map(SchedulerContainer::getRmContainer)
                .filter(Victims::isLive)
                .forEach(container -> ends.put(container.getContainerId(), container));
        all.putAll(ends);
        // CapacityScheduler counts devices, and does not know which of them are lost or sliced.
        for (RMContainer killable : node.getKillableContainers().values()) {
            if (suffice(all.values(), node, size)) {
                break;
            }
            if (Victims.isLive(killable)) {
                ends.put(killable.getContainerId(), killable);
                all.put(killable.getContainerId(), killable);
            }
        }
        for (ContainerId id : List.copyOf(ends.keySet())) {
            RMContainer spared = all.remove(id);
            if (suffice(all.values(), node, size)) {
                ends.remove(id);
            } else {
                all.put(id, spared);
            }
        }
        return ends;
    }

    /** Whether the node has room and devices when these have gone. */
    private boolean suffice(Collection<RMContainer> gone, FiCaSchedulerNode node, ResourceVector size) {
        ResourceVector room = YarnResources.vector(node.getUnallocatedResource());
        for (RMContainer container : gone) {
            room = room.plus(YarnResources.taken(container));
        }
        Set<ContainerId> ids =
                Set.copyOf(gone.stream().map(RMContainer::getContainerId).toList());
        return size.fitsIn(room)
                && NodeDevices.of(node, telemetry)
                        .flatMap(devices -> devices.without(ids)
                                .choose(size, scheduler.formingRoom().devices(node.getNodeID())))
                        .isPresent();
    }

    private static FiCaSchedulerNode node(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        return proposal.getAllocatedOrReservedContainer().getSchedulerNode();
    }

    /** Containers that have been ended and hold their devices until the node says that they are gone. */
    private static Map<ContainerId, RMContainer> going(FiCaSchedulerNode node) {
        Map<ContainerId, RMContainer> going = new LinkedHashMap<>();
        node.getCopiedListOfRunningContainers().stream()
                .filter(KillableHolders::isGoing)
                .forEach(container -> going.put(container.getContainerId(), container));
        return going;
    }

    private static boolean isGoing(RMContainer container) {
        return container.completed() && Time.now() - container.getFinishTime() < PATIENCE_MS;
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
}
