// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Decides which nodes CapacityScheduler may consider for an ask. Whatever {@link ProposalGuard} would refuse at the commit
 * is not offered here, so that the walk continues with the next ask. Many threads may ask at the same time.
 */
public final class NodeOffers {
    private static final Optional<String> OFFERED = Optional.empty();
    private static final Optional<String> PLANNED = Optional.of("the planner grants this gang whole");
    private static final Optional<String> OTHER_NODE = Optional.of("the container that grows is on another node");
    private static final Optional<String> NO_ROOM_TO_GROW = Optional.of("the node has no room by which it could grow");
    private static final Optional<String> GOING = Optional.of("the node is about to be switched off");
    private static final Optional<String> DEVICES = Optional.of("the node's GPUs are taken, sliced or lost");
    private static final Optional<String> ENDING =
            Optional.of("the GPUs for all that it asks for are held by containers that end on other nodes");
    private static final Optional<String> STORAGE = Optional.of("the shared file system has no bandwidth left");
    private static final Optional<String> KEPT = Optional.of("the node's room is reserved for a gang");
    private static final Optional<String> FORMING =
            Optional.of("a gang that is being granted has its room there, and nobody reserves a node meanwhile");
    private static final Optional<String> QUEUE_KEPT =
            Optional.of("what its queue may still take is left to a gang that room is reserved for");
    private static final Optional<String> UNCHECKED =
            Optional.of("a failure in Treadle, which the ResourceManager's log tells, keeps it from being checked");
    private static final Optional<String> REFUSED =
            Optional.of("containers for this application were refused there again and again");

    private final GangHost host;
    private final SchedulerAccess scheduler;
    private final QueueRoom queueRoom;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final SharedStorageLimit sharedStorage;
    private final GangReservations reservations;
    private final Refusals refusals;
    private final Quiet quiet;
    private final AwaitedDevices awaited;

    public NodeOffers(
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
        this.awaited = awaited;
    }

    /**
     * Why an ask is not offered a node where that cannot be checked. Empty for what CapacityScheduler can place without us: a cluster
     * with a fault of ours goes on with what it does without Treadle.
     */
    public static Optional<String> unchecked(AppSchedulingInfo app, ResourceVector size) {
        return GangTable.isGang(app.getApplicationSchedulingEnvs()) || NodeDevices.needsDevices(size)
                ? UNCHECKED
                : OFFERED;
    }

    /** The same at the commit. */
    public static Optional<String> unchecked(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (!request.anythingAllocatedOrReserved()) {
            return OFFERED;
        }
        var proposal = request.getFirstAllocatedOrReservedContainer();
        return unchecked(
                proposal.getAllocatedOrReservedContainer()
                        .getSchedulerApplicationAttempt()
                        .getAppSchedulingInfo(),
                YarnResources.vector(proposal.getAllocatedOrReservedResource()));
    }

    /** See {@link GangHost#isLeftToPlanner}. */
    public boolean isLeftToPlanner(AppSchedulingInfo app, SchedulerRequestKey key) {
        return key.getContainerToUpdate() == null
                && isPlanned(app)
                && !host.isWaitingForAppMaster(app.getApplicationId());
    }

    private boolean isPlanned(AppSchedulingInfo app) {
        return GangTable.isGang(app.getApplicationSchedulingEnvs()) && host.isPlanned(app.getApplicationId());
    }

    /** See {@link GangHost#obstacle}. */
    public Optional<String> obstacle(
            AppSchedulingInfo app, SchedulerRequestKey key, ResourceVector size, SchedulerNode schedulerNode) {
        if (quiet.isFor(size) || !(schedulerNode instanceof FiCaSchedulerNode node)) {
            return OFFERED;
        }
        if (sleeping.isGoing(node.getNodeID().getHost())) {
            return GOING;
        }
        if (refusals.isLeftOut(app.getApplicationId(), node.getNodeID())) {
            return REFUSED;
        }
        if (isLeftToPlanner(app, key)) {
            return PLANNED;
        }
        if (!scheduler.formingRoom().isLeftBy(node, size)) {
            return FORMING;
        }
        Optional<String> kept = kept(app, node, size);
        if (kept.isPresent()) {
            return kept;
        }
        if (key.getContainerToUpdate() != null) {
            return update(app, key, size, node);
        }
        if (NodeDevices.needsDevices(size)) {
            Optional<NodeDevices> devices = NodeDevices.of(node, telemetry);
            if (devices.isPresent()
                    && !devices.get().offers(size, YarnResources.vector(node.getUnallocatedResource()))) {
                return DEVICES;
            }
            // Where none are free it would be offered those of others, that may end.
            if (awaited.areEnough(app, key)
                    && devices.isPresent()
                    && devices.get().choose(size, Set.of()).isEmpty()) {
                return ENDING;
            }
        }
        return sharedStorage.mayHave(size.storageMBps()) ? OFFERED : STORAGE;
    }

    private Optional<String> kept(AppSchedulingInfo app, FiCaSchedulerNode node, ResourceVector size) {
        if (reservations.isEmpty()) {
            return OFFERED;
        }
        if (scheduler
                .app(app.getApplicationId())
                .filter(MastersWaiting::isToFollow)
                .isPresent()) {
            return reservations.letStart(node, size) ? OFFERED : KEPT;
        }
        if (!reservations.leaveRoomFor(node, app.getApplicationId(), size)) {
            return KEPT;
        }
        return queueRoom.isLeftBy(app.getApplicationId(), node, size, reservations) ? OFFERED : QUEUE_KEPT;
    }

    private Optional<String> update(
            AppSchedulingInfo app, SchedulerRequestKey key, ResourceVector more, FiCaSchedulerNode node) {
        if (isPlanned(app)) {
            // The stock check compares host names: two NodeManagers on one host would be confused.
            Optional<NodeId> place = scheduler.nodeOf(key.getContainerToUpdate());
            if (place.isEmpty() || !place.get().equals(node.getNodeID())) {
                return OTHER_NODE;
            }
            // Without room CapacityScheduler would propose a reservation, which is refused (ADR 2).
            if (!more.fitsIn(YarnResources.vector(node.getUnallocatedResource()))) {
                return NO_ROOM_TO_GROW;
            }
        }
        return sharedStorage.mayHave(more.storageMBps()) ? OFFERED : STORAGE;
    }
}
