// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;

/**
 * Checks every proposal that does not come from a plan before it is committed, and chooses the devices of its container.
 * {@link NodeOffers} has said the same before the proposal was made; here it is said with nothing between the check and the
 * commit. The caller holds the scheduler's write lock from the check to the end of the commit.
 */
public final class ProposalGuard {
    private static final String TAKEN = "the node's GPUs are taken, sliced or lost";
    private static final String ENDING = "the GPUs that it gets are held by containers that have yet to end";

    private final GangHost host;
    private final SchedulerAccess scheduler;
    private final QueueRoom queueRoom;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final SharedStorageLimit sharedStorage;
    private final GangReservations reservations;
    private final Refusals refusals;
    private final Quiet quiet;
    private final KillableHolders killable;
    /** CapacityScheduler's nodes, as they are now for certain. */
    private final Map<NodeId, FiCaSchedulerNode> there = new ConcurrentHashMap<>();

    public ProposalGuard(
            GangHost host,
            SchedulerAccess scheduler,
            Telemetry telemetry,
            Sleeping sleeping,
            SharedStorageLimit sharedStorage,
            GangReservations reservations,
            Refusals refusals,
            AwaitedDevices awaited) {
        this.host = host;
        this.scheduler = scheduler;
        this.queueRoom = new QueueRoom(scheduler);
        this.telemetry = telemetry;
        this.sleeping = sleeping;
        this.sharedStorage = sharedStorage;
        this.reservations = reservations;
        this.refusals = refusals;
        this.quiet = new Quiet(host::hasGangs, sleeping::isAnyGoing, telemetry::knowsNodes, reservations, refusals);
        this.killable = new KillableHolders(scheduler, telemetry, awaited);
    }

    /**
     * Why CapacityScheduler may not commit the proposal; empty where it may, and the devices are chosen.
     *
     * @param isNodeThere whether it is certain that CapacityScheduler has the node
     */
    public Optional<String> refusal(
            ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request, boolean isNodeThere) {
        if (!request.anythingAllocatedOrReserved()) {
            return Optional.empty();
        }
        ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal =
                request.getFirstAllocatedOrReservedContainer();
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        FiCaSchedulerApp app = container.getSchedulerApplicationAttempt();
        FiCaSchedulerNode node = container.getSchedulerNode();
        if (!isNodeThere && !isThere(node)) {
            return Optional.of("the node is gone, or has registered again since");
        }
        if (PlacementNames.enclose(app, container.getSchedulerRequestKey())) {
            return Optional.of("what is asked for has not been looked at yet");
        }
        if (isOfAnotherSize(proposal)) {
            return Optional.of("the ask has changed since the node was reserved for it");
        }
        return quiet.isFor(proposal.getAllocatedOrReservedResource())
                ? Optional.empty()
                : closerLook(request, proposal);
    }

    /** Where it is not quiet. */
    private Optional<String> closerLook(
            ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request,
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        FiCaSchedulerApp app = container.getSchedulerApplicationAttempt();
        FiCaSchedulerNode node = container.getSchedulerNode();
        ResourceVector size = YarnResources.vector(proposal.getAllocatedOrReservedResource());
        // That something waits keeps the node from going: the next proposal may be for it again.
        if (sleeping.isGoing(node.getNodeID().getHost())) {
            return Optional.of("the node is about to be switched off");
        }
        boolean isToFollow = !reservations.isEmpty() && MastersWaiting.isToFollow(app);
        if (isToFollow
                ? !reservations.letStart(node, size)
                : !reservations.leaveRoomFor(node, app.getApplicationId(), size)) {
            return Optional.of("the node's room is reserved for a gang");
        }
        // What is reserved counts as held by its queue already.
        if (!isToFollow
                && proposal.getAllocateFromReservedContainer() == null
                && !queueRoom.isLeftBy(app.getApplicationId(), node, size, reservations)) {
            return Optional.of("what its queue may still take is left to a gang that room is reserved for");
        }
        boolean isUpdate = container.getSchedulerRequestKey().getContainerToUpdate() != null;
        if (isPlanned(app)) {
            if (isUpdate && !container.isAllocated()) {
                // An update that does not fit waits; a reservation for it would keep the node from everybody.
                return Optional.of("a container that grows reserves no node");
            }
            if (!isUpdate && !app.isWaitingForAMContainer()) {
                return Optional.of("the planner grants the tasks of this job");
            }
        }
        if (!container.isAllocated()) {
            return Optional.empty();
        }
        if (!sharedStorage.hasRoomFor(request)) {
            return Optional.of("the shared file system has no bandwidth left");
        }
        if (isUpdate || choosesDevices(container, size)) {
            return Optional.empty();
        }
        // Containers may end for it by this.
        boolean waits = killable.areEndingFor(proposal, size)
                || killable.endElsewhere(proposal)
                || (wouldBeCommittedWithoutUs(request) && killable.makeWay(proposal, size));
        return Optional.of(waits ? ENDING : TAKEN);
    }

    /**
     * Hadoop fulfils a reservation with the container that was reserved, and accounts for the size that is asked for now: it would
     * hold more or less than its token says, past the limits of its queue.
     */
    private static boolean isOfAnotherSize(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        return proposal.getAllocateFromReservedContainer() != null
                && !proposal.getAllocatedOrReservedContainer()
                        .getRmContainer()
                        .getContainer()
                        .getResource()
                        .equals(proposal.getAllocatedOrReservedResource());
    }

    /** CapacityScheduler has the node, and its write lock is held since it has it. */
    public void nodeCame(NodeId node) {
        scheduler.node(node).ifPresent(now -> there.put(node, now));
    }

    /** To be said before CapacityScheduler hears of it. */
    public void nodeGoes(NodeId node) {
        there.remove(node);
    }

    /**
     * Hadoop would enter the container in books of the node that nobody reads any more. CapacityScheduler is asked about few
     * nodes: that takes a lock which its own threads take at each node.
     */
    @SuppressWarnings("ReferenceEquality") // A node that registers again has the same name and other books.
    private boolean isThere(FiCaSchedulerNode node) {
        return there.get(node.getNodeID()) == node
                || scheduler.node(node.getNodeID()).filter(now -> now == node).isPresent();
    }

    /** Whether a planned container may be committed: the shared file system has room, which YARN does not know. */
    public boolean hasRoomFor(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        boolean hasRoom = sharedStorage.hasRoomFor(request);
        if (!hasRoom) {
            uncount(request);
        }
        return hasRoom;
    }

    private boolean isPlanned(FiCaSchedulerApp app) {
        return GangTable.isGang(app.getApplicationSchedulingEnvs()) && host.isPlanned(app.getApplicationId());
    }

    /** Takes a refused proposal's size off what Hadoop added to its application when the proposal was made. */
    static void uncount(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (!request.getContainersToAllocate().isEmpty()) {
            request.getFirstAllocatedOrReservedContainer()
                    .getAllocatedOrReservedContainer()
                    .getSchedulerApplicationAttempt()
                    .decUnconfirmedRes(request.getTotalAllocatedResource());
        }
    }

    /**
     * A proposal was refused. It counts against its application where Hadoop would have committed it and the node would be offered
     * to it again at once: with asynchronous scheduling many proposals are on their way when a reason arises that is known from
     * then on.
     *
     * @param fromWalk whether CapacityScheduler's walk over the applications made it, which would make it again
     */
    public void refused(
            ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request, boolean fromWalk, String why) {
        uncount(request);
        if (!fromWalk || why.equals(ENDING)) {
            return;
        }
        ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal =
                request.getFirstAllocatedOrReservedContainer();
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        FiCaSchedulerApp app = container.getSchedulerApplicationAttempt();
        FiCaSchedulerNode node = container.getSchedulerNode();
        if (wouldBeCommittedWithoutUs(request)
                && app.getAppSchedulingInfo()
                        .precheckNode(
                                container.getSchedulerRequestKey(),
                                node,
                                proposal.getSchedulingMode(),
                                Optional.empty())) {
            refusals.refused(app.getApplicationId(), node.getNodeID(), why);
        }
        // A reservation that cannot be used would keep the node from everybody. Those for tasks of planned jobs are the
        // planner's.
        RMContainer reserved = proposal.getAllocateFromReservedContainer() != null
                ? proposal.getAllocateFromReservedContainer().getRmContainer()
                : container.getRmContainer();
        if (node.getReservedContainer() == reserved && (!isPlanned(app) || app.isWaitingForAMContainer())) {
            scheduler.unreserve(reserved);
        }
    }

    /**
     * With asynchronous scheduling several proposals for the same room are on their way at a time. The first takes it, and Hadoop's own
     * check refuses the others without a memory of it: they are no reason to leave anybody out.
     */
    @SuppressWarnings("ReferenceEquality") // Another attempt of the application is another object.
    private boolean wouldBeCommittedWithoutUs(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container =
                request.getFirstAllocatedOrReservedContainer().getAllocatedOrReservedContainer();
        FiCaSchedulerApp app = container.getSchedulerApplicationAttempt();
        return isThere(container.getSchedulerNode())
                && scheduler
                        .app(app.getApplicationId())
                        .filter(now -> now == app)
                        .isPresent()
                && app.accept(scheduler.clusterResource(), request, true);
    }

    private boolean choosesDevices(
            SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container, ResourceVector size) {
        if (!NodeDevices.needsDevices(size)) {
            return true;
        }
        // Where the node's devices are unknown the node chooses them itself.
        Optional<Set<String>> chosen = NodeDevices.of(container.getSchedulerNode(), telemetry)
                .map(devices -> devices.choose(
                        size,
                        scheduler
                                .formingRoom()
                                .devices(container.getSchedulerNode().getNodeID())))
                .orElse(Optional.of(Set.of()));
        chosen.ifPresent(tags -> {
            // A container that was reserved before may still carry the choice of a commit that was refused.
            Set<String> all = ReservedTags.without(container.getRmContainer().getAllocationTags());
            all.addAll(tags);
            ((RMContainerImpl) container.getRmContainer()).setAllocationTags(all);
            AppPlacementAllocator<FiCaSchedulerNode> ask = container
                    .getSchedulerApplicationAttempt()
                    .getAppSchedulingInfo()
                    .getAppPlacementAllocator(container.getSchedulerRequestKey());
            if (ask instanceof PlannedPlacement<FiCaSchedulerNode> ours) {
                ours.choose(tags);
            }
        });
        return chosen.isPresent();
    }
}
