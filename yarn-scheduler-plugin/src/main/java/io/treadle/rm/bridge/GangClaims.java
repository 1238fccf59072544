// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Which waiting gangs are owed room by the guarantees of their queues, and whether it is there. */
public final class GangClaims {
    private final SchedulerAccess scheduler;
    private final GangReservations reservations;

    public GangClaims(SchedulerAccess scheduler, GangReservations reservations) {
        this.scheduler = scheduler;
        this.reservations = reservations;
    }

    /** The plain applications of its queue that come before it. */
    public Set<ApplicationId> servedBefore(Gang gang) {
        return scheduler.app(gang.id()).map(QueueOrder::servedBefore).orElse(Set.of());
    }

    /**
     * The same while room is reserved for it. Where the order goes by what applications hold, it is the one of the moment when the
     * room was reserved: each container that a new application gets would make it the next one's turn, and never the gang's.
     */
    public Set<ApplicationId> servedBefore(Gang gang, GangReservation reservation) {
        return scheduler.app(gang.id()).filter(QueueOrder::changesWithUse).isPresent()
                ? reservation.before()
                : servedBefore(gang);
    }

    /** What the gang's user may hold of its queue now. */
    public ResourceVector userLimit(Gang gang) {
        ResourceVector all = YarnResources.vector(scheduler.partitionResource(gang.partition()));
        return scheduler
                .app(gang.id())
                .map(app -> new UserLimits(app.getCSLeafQueue(), gang.partition(), all).limit(app.getUser()))
                .orElse(all);
    }

    /** Whether the guarantee of its queue, or of one above it, covers the whole gang, and its user may hold it. */
    public boolean isOwed(Gang gang, JobView job, Snapshot snapshot, Set<ApplicationId> before) {
        Guarantees guarantees = new Guarantees(gang.partition(), snapshot.capacity());
        return isOwed(gang, before, guarantees, app -> guarantees.owing(app, before, need(job)));
    }

    /** The same where room is yet to be reserved for it: others below a queue above its own may have a better claim. */
    public boolean isOwedBesideOthers(Gang gang, JobView job, Snapshot snapshot, Set<ApplicationId> before) {
        Guarantees guarantees = new Guarantees(gang.partition(), snapshot.capacity());
        return isOwed(gang, before, guarantees, app -> guarantees.owing(app, before, need(job), reserved(gang)));
    }

    private boolean isOwed(
            Gang gang,
            Set<ApplicationId> before,
            Guarantees guarantees,
            Function<FiCaSchedulerApp, Optional<CSQueue>> owing) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        return app.isPresent()
                && !app.get().isWaitingForAMContainer()
                && owing.apply(app.get()).isPresent()
                && UserLimits.mayTake(
                        app.get().getCSLeafQueue(),
                        gang.user(),
                        gang.partition(),
                        scheduler.clusterResource(),
                        guarantees.heldByLaterPlainOfItsUser(app.get(), before));
    }

    /** For other gangs of the partition. */
    private Map<FiCaSchedulerApp, ResourceVector> reserved(Gang gang) {
        Map<FiCaSchedulerApp, ResourceVector> reserved = new HashMap<>();
        for (GangReservation other : reservations.all()) {
            if (other.partition().equals(gang.partition()) && !other.gang().equals(gang.id())) {
                scheduler.app(other.gang()).ifPresent(app -> reserved.put(app, other.all()));
            }
        }
        return reserved;
    }

    /** Whether the room that the gang lacks may be reserved beside what is reserved in its partition already. */
    public boolean mayBeReserved(Gang gang, JobView job, Snapshot snapshot, int mostPercent) {
        ResourceVector need = need(job);
        ResourceVector others = reservations.all().stream()
                .filter(other -> other.partition().equals(gang.partition()))
                .map(GangReservation::all)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        return need.plus(others).where(need).fitsIn(snapshot.capacity().share(mostPercent, 100));
    }

    /** What the tasks that it lacks ask for together. */
    public static ResourceVector need(JobView job) {
        ResourceVector need = ResourceVector.ZERO;
        for (TaskGroup group : job.groups()) {
            need = need.plus(group.ask().times(job.missing(group)));
        }
        return need;
    }

    /** Whether all nodes of the reservation are there and in the gang's partition. */
    public boolean stands(Gang gang, GangReservation reservation) {
        return reservation.rooms().keySet().stream().allMatch(id -> scheduler
                .node(id)
                .filter(node -> node.getRMNode().getState() == NodeState.RUNNING
                        && node.getPartition().equals(gang.partition()))
                .isPresent());
    }

    /** Of what is reserved, how much is free now, on the nodes and below the maximum of its queue. */
    public ResourceVector free(GangReservation reservation) {
        ResourceVector onNodes = freeOnNodes(reservation);
        return scheduler
                .app(reservation.gang())
                .map(gang -> QueueLimits.headroom(
                        gang.getCSLeafQueue(), reservation.partition(), scheduler.clusterResource()))
                .map(onNodes::min)
                .orElse(onNodes);
    }

    /** The same on the nodes alone. */
    public ResourceVector freeOnNodes(GangReservation reservation) {
        ResourceVector free = ResourceVector.ZERO;
        for (var room : reservation.rooms().entrySet()) {
            free = free.plus(scheduler
                    .node(room.getKey())
                    .map(node -> YarnResources.vector(node.getUnallocatedResource())
                            .minus(reservations.forOthers(node.getNodeID(), reservation.gang()))
                            .max(ResourceVector.ZERO)
                            .min(room.getValue()))
                    .orElse(ResourceVector.ZERO));
        }
        return free;
    }
}
