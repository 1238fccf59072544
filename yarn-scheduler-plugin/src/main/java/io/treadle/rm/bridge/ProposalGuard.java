// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * Looks at every proposal that does not come from a plan, whichever thread made it. It refuses task containers of a
 * planned job, and gives a plain application whole cards only: a card that is taken or sliced is none. A user may bring
 * an allocator of their own to an application; what is refused here is refused to it too.
 */
public final class ProposalGuard {
    private final GangHost host;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final GangReservations reservations;

    public ProposalGuard(GangHost host, Telemetry telemetry, Sleeping sleeping, GangReservations reservations) {
        this.reservations = reservations;
        this.sleeping = sleeping;
        this.host = host;
        this.telemetry = telemetry;
    }

    /** Whether CapacityScheduler may commit the proposal; a plain application's devices are chosen by the way. */
    public boolean allows(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (!request.anythingAllocatedOrReserved()) {
            return true;
        }
        ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal =
                request.getFirstAllocatedOrReservedContainer();
        SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container = proposal.getAllocatedOrReservedContainer();
        FiCaSchedulerApp app = container.getSchedulerApplicationAttempt();
        // That something waits keeps the node from going: the next proposal may be for it again.
        if (sleeping.isGoing(container.getSchedulerNode().getNodeID().getHost())) {
            return false;
        }
        if (!reservations.leaveRoomFor(
                container.getSchedulerNode(),
                app.getApplicationId(),
                YarnResources.vector(proposal.getAllocatedOrReservedResource()))) {
            return false;
        }
        if (GangTable.isGang(app.getApplicationSchedulingEnvs()) && host.isPlanned(app.getApplicationId())) {
            // An update that does not fit waits; a reservation for it would keep the node from everybody.
            return container.getSchedulerRequestKey().getContainerToUpdate() != null
                    ? container.isAllocated()
                    : app.isWaitingForAMContainer();
        }
        return !container.isAllocated() || choosesDevices(container, proposal);
    }

    /** See {@link GangHost#leavesReservedRoom}. */
    public boolean leavesReservedRoom(SchedulerNode node, ApplicationId id, ResourceVector container) {
        return reservations.leaveRoomFor(node, id, container);
    }

    /** See {@link GangHost#offersGpus}. */
    public boolean offersGpus(FiCaSchedulerNode node, long gpus) {
        long uncharged = YarnResources.vector(node.getUnallocatedResource()).gpus();
        return NodeDevices.of(node, telemetry)
                .map(devices -> devices.offers(gpus, uncharged))
                .orElse(true);
    }

    /** Takes a refused proposal's size off what Hadoop added to its application when the proposal was made. */
    public static void refused(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (!request.getContainersToAllocate().isEmpty()) {
            request.getFirstAllocatedOrReservedContainer()
                    .getAllocatedOrReservedContainer()
                    .getSchedulerApplicationAttempt()
                    .decUnconfirmedRes(request.getTotalAllocatedResource());
        }
    }

    private boolean choosesDevices(
            SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container,
            ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        ResourceVector size = YarnResources.vector(proposal.getAllocatedOrReservedResource());
        if (size.gpus() == 0 || container.getSchedulerRequestKey().getContainerToUpdate() != null) {
            return true;
        }
        Optional<NodeDevices> devices = NodeDevices.of(container.getSchedulerNode(), telemetry);
        if (devices.isEmpty()) {
            return true;
        }
        Optional<Set<String>> free = devices.get().freeWhole(size.gpus());
        free.ifPresent(tags -> {
            // A container that was reserved before may still carry the choice of a commit that was refused.
            Set<String> all = ReservedTags.without(container.getRmContainer().getAllocationTags());
            all.addAll(tags);
            ((RMContainerImpl) container.getRmContainer()).setAllocationTags(all);
        });
        return free.isPresent();
    }
}
