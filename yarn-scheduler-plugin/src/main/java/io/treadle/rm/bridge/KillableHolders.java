// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.profile.Telemetry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * With YARN's lazy preemption a container ends when another one is committed in its place. Its devices are free only when its node
 * says that it is gone. Until then the node is reserved for the one that it ended for, so that no more end than containers are asked
 * for, and nobody else takes the devices ({@link AwaitedDevices}). The caller holds the scheduler's write lock.
 */
final class KillableHolders {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final AwaitedDevices awaited;

    KillableHolders(SchedulerAccess scheduler, Telemetry telemetry, AwaitedDevices awaited) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.awaited = awaited;
    }

    /** Whether the proposal is from a reservation, and what it needs comes when containers have gone that were ended already. */
    boolean areEndingFor(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal, ResourceVector size) {
        return proposal.getAllocateFromReservedContainer() != null
                && (released(proposal).anyMatch(KillableHolders::isGoing)
                        || suffice(going(node(proposal)).values(), node(proposal), size));
    }

    /**
     * Whether the proposal comes too early: as many end for its ask as are asked for, or CapacityScheduler would give up a node on
     * which somebody has ended for one.
     */
    boolean endElsewhere(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        return awaited.isAnyOf(released(proposal).toList())
                || (!awaited.isOn(node(proposal))
                        && awaited.areEnough(
                                container.getSchedulerApplicationAttempt().getAppSchedulingInfo(),
                                container.getSchedulerRequestKey()));
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
        // What they hold in their queue is needed for the new one.
        released(proposal)
                .filter(container -> container.getState() == RMContainerState.RESERVED)
                .forEach(scheduler::unreserve);
        ends.values().forEach(scheduler::endByPreemption);
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> before = proposal.getAllocateFromReservedContainer();
        boolean isReserved = before != null || reserve(proposal);
        if (isReserved) {
            awaited.add(container, (before == null ? container : before).getRmContainer());
        }
        return isReserved;
    }

    private static Stream<RMContainer> released(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        return proposal.getToRelease().stream().map(SchedulerContainer::getRmContainer);
    }

    /**
     * Those that CapacityScheduler would end. It counts devices, and does not know which of them are lost or sliced: where that does not
     * suffice, of all that it may end there, no more than have to.
     */
    private Map<ContainerId, RMContainer> toEnd(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal,
            ResourceVector size,
            Map<ContainerId, RMContainer> going) {
        FiCaSchedulerNode node = node(proposal);
        Map<ContainerId, RMContainer> all = new LinkedHashMap<>(going);
        Map<ContainerId, RMContainer> ends = new LinkedHashMap<>();
        released(proposal)
                .filter(Victims::isLive)
                .forEach(container -> ends.put(container.getContainerId(), container));
        all.putAll(ends);
        if (ends.isEmpty() || suffice(all.values(), node, size)) {
            return ends;
        }
        for (RMContainer killable : killable(node)) {
            if (Victims.isLive(killable) && !suffice(all.values(), node, size)) {
                ends.put(killable.getContainerId(), killable);
                all.put(killable.getContainerId(), killable);
            }
        }
        for (RMContainer spared : List.copyOf(ends.values())) {
            all.remove(spared.getContainerId());
            if (suffice(all.values(), node, size)) {
                ends.remove(spared.getContainerId());
            } else {
                all.put(spared.getContainerId(), spared);
            }
        }
        return ends;
    }

    private static List<RMContainer> killable(FiCaSchedulerNode node) {
        // Hadoop gives a view of its own map.
        synchronized (node) {
            return List.copyOf(node.getKillableContainers().values());
        }
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
        // Hadoop notes the machine's own time.
        return container.completed() && Time.now() - container.getFinishTime() < AwaitedDevices.PATIENCE_MS;
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
