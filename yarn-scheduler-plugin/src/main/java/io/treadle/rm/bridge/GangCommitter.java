// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Commits the members of a gang through CapacityScheduler's own path: all of them, or none. */
public final class GangCommitter {
    /** No refusal: the next round tries again. */
    private static final Optional<String> ANSWERED = Optional.of("its ApplicationMaster is being answered");

    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final GangReservations reservations;

    public GangCommitter(
            SchedulerAccess scheduler, Telemetry telemetry, Sleeping sleeping, GangReservations reservations) {
        this.reservations = reservations;
        this.sleeping = sleeping;
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /**
     * The members are committed in several holds of the scheduler's lock. Neither the ApplicationMaster nor another
     * thread that plans sees the gang before all of them are.
     *
     * @return empty when every member is committed; otherwise why none is
     */
    public Optional<String> commit(Gang gang, List<TaskPlacement> tasks) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        if (app.isEmpty()) {
            return Optional.of("its ApplicationMaster is gone");
        }
        CommitCheck check = new CommitCheck(scheduler, telemetry, sleeping, reservations, app.get(), gang, tasks);
        // Most plans that cannot be committed are found here, before anything is held.
        Optional<String> obstacle = check.anyNode();
        if (obstacle.isPresent()) {
            return obstacle;
        }
        GangCommit commit = new GangCommit(scheduler, app.get(), gang, tasks, check);
        return gang.delivery().begin(check.nodes()) ? commit.run() : ANSWERED;
    }

    /** Whether what {@link #commit} says is a matter of milliseconds, and nothing is wrong with the plan. */
    public static boolean isMomentary(Optional<String> obstacle) {
        return obstacle.equals(ANSWERED);
    }

    static ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> proposal(
            FiCaSchedulerApp app, FiCaSchedulerNode node, RMContainer container, Resource size, NodeType type) {
        var allocated = new SchedulerContainer<>(app, node, container, node.getPartition(), true);
        // As in YARN's own walk: on another partition's node, queues and users are held to none of their maxima.
        SchedulingMode mode = container.getNodeLabelExpression().isEmpty()
                        && !node.getPartition().isEmpty()
                ? SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY
                : SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
        var proposal = new ContainerAllocationProposal<>(allocated, List.of(), null, type, type, mode, size);
        app.incUnconfirmedRes(size);
        return new ResourceCommitRequest<>(List.of(proposal), List.of(), List.of());
    }
}
