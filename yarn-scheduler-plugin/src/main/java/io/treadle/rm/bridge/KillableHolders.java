// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.profile.Telemetry;
import java.time.Clock;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * With YARN's lazy preemption a container ends when another one is committed in its place. Its devices are free only when its node
 * says that it is gone. Until then the node is reserved for the one that it ended for, so that no more end than containers are asked
 * for, and nobody else takes the devices. The caller of what changes something holds the scheduler's write lock.
 */
public final class KillableHolders {
    private static final Logger LOG = LoggerFactory.getLogger(KillableHolders.class);
    /** A container that has been ended and is still on its node after so long may never go. As long as YARN's own GPU plugin waits. */
    private static final long PATIENCE_MS = 120_000;

    /**
     * A node that is reserved for an ask, for which somebody ended there.
     *
     * @param sinceMs when that was
     */
    private record Claim(
            FiCaSchedulerNode node,
            RMContainer reserved,
            ApplicationAttemptId attempt,
            SchedulerRequestKey key,
            long sinceMs) {
        @SuppressWarnings("ReferenceEquality") // Another reservation is another object.
        boolean stands() {
            return node.getReservedContainer() == reserved;
        }
    }

    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Clock clock;
    /** By node. What does not stand any more goes with the next one that comes. */
    private final Map<NodeId, Claim> claims = new ConcurrentHashMap<>();

    public KillableHolders(SchedulerAccess scheduler, Telemetry telemetry, Clock clock) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.clock = clock;
    }

    /** Whether the proposal is from a reservation, and what it needs comes when containers have gone that were ended already. */
    boolean areEndingFor(
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal, ResourceVector size) {
        return proposal.getAllocateFromReservedContainer() != null
                && (released(proposal).anyMatch(KillableHolders::isGoing)
                        || suffice(going(node(proposal)).values(), node(proposal), size));
    }

    /**
     * Whether containers end already for as many as are asked for, or for more. CapacityScheduler asks for it with a lock of the
     * ask's that is taken after those of its application: none of these may be taken here.
     */
    boolean endForAll(AppSchedulingInfo app, SchedulerRequestKey key) {
        if (claims.isEmpty()) {
            return false;
        }
        long coming = claims.values().stream()
                .filter(claim -> claim.attempt().equals(app.getApplicationAttemptId())
                        && claim.key().equals(key)
                        && claim.stands()
                        && !isLong(claim.sinceMs()))
                .count();
        AppPlacementAllocator<FiCaSchedulerNode> ask = app.getAppPlacementAllocator(key);
        return coming > 0 && ask != null && coming >= ask.getOutstandingAsksCount(ResourceRequest.ANY);
    }

    /** The same for a proposal; not where it is from such a reservation, and what was to come there does not. */
    boolean endForAll(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        Claim here = claims.get(container.getSchedulerNode().getNodeID());
        return (here == null || !here.stands())
                && endForAll(
                        container.getSchedulerApplicationAttempt().getAppSchedulingInfo(),
                        container.getSchedulerRequestKey());
    }

    /** Whether CapacityScheduler would give up such a reservation for the proposal: what ended for it would have ended in vain. */
    boolean givesUpClaim(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        List<RMContainer> released = released(proposal).toList();
        return claims.values().stream()
                .anyMatch(claim -> claim.stands() && !isLong(claim.sinceMs()) && released.contains(claim.reserved()));
    }

    /** Drops reservations for which somebody ended long ago and has not gone: the ask has to look elsewhere. */
    public void dropOverdue() {
        for (Claim claim : List.copyOf(claims.values())) {
            if (isLong(claim.sinceMs()) && claims.remove(claim.node().getNodeID(), claim) && claim.stands()) {
                LOG.warn(
                        "Node {} is no longer reserved for {}: what was ended there for it has not gone in {} s",
                        claim.node().getNodeID(),
                        claim.attempt(),
                        PATIENCE_MS / 1000);
                scheduler.unreserve(claim.reserved());
            }
        }
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
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> before = proposal.getAllocateFromReservedContainer();
        if (before != null) {
            claim(proposal.getAllocatedOrReservedContainer(), before.getRmContainer());
            return true;
        }
        if (reserve(proposal)) {
            claim(
                    proposal.getAllocatedOrReservedContainer(),
                    proposal.getAllocatedOrReservedContainer().getRmContainer());
            return true;
        }
        return false;
    }

    private void claim(SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container, RMContainer reserved) {
        claims.values().removeIf(claim -> !claim.stands());
        FiCaSchedulerNode node = container.getSchedulerNode();
        claims.put(
                node.getNodeID(),
                new Claim(
                        node,
                        reserved,
                        container.getSchedulerApplicationAttempt().getApplicationAttemptId(),
                        container.getSchedulerRequestKey(),
                        clock.millis()));
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
        return container.completed() && Time.now() - container.getFinishTime() < PATIENCE_MS;
    }

    private boolean isLong(long sinceMs) {
        return clock.millis() - sinceMs >= PATIENCE_MS;
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
