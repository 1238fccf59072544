// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.sleep.NodeKind;
import io.treadle.rm.sleep.NodeSight;
import io.treadle.rm.sleep.NodeSight.Stage;
import io.treadle.rm.sleep.Waiting;
import io.treadle.rm.sleep.YarnNodes;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.util.HostsFileReader;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeDecommissioningEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Nodes of a ResourceManager, taken out as {@code yarn rmadmin -refreshNodes -g} does, without a file of excluded hosts. */
public final class NodesOfYarn implements YarnNodes {
    /** A node that does not go is taken in again long before, s. */
    private static final int DRAIN_SECONDS = 86_400;

    private final SchedulerAccess scheduler;
    private final GangTable gangs;
    private final RMContext context;
    private final Predicate<String> heldBack;
    private final Predicate<String> limited;

    /**
     * @param heldBack whether a budget that is used up keeps a queue's gangs from running, by its path
     * @param limited whether a limit on power may keep a queue's jobs waiting, by its path
     */
    public NodesOfYarn(
            SchedulerAccess scheduler,
            GangTable gangs,
            RMContext context,
            Predicate<String> heldBack,
            Predicate<String> limited) {
        this.scheduler = scheduler;
        this.gangs = gangs;
        this.context = context;
        this.heldBack = heldBack;
        this.limited = limited;
    }

    @Override
    public List<NodeSight> nodes() {
        Heartbeats heartbeats = scheduler.heartbeats();
        return context.getRMNodes().values().stream()
                .map(node -> sight(node, heartbeats))
                .toList();
    }

    @Override
    public boolean promisesRoom() {
        try {
            return context.getReservationSystem() != null
                    && !context.getScheduler().getPlanQueues().isEmpty();
        } catch (YarnException e) {
            throw new IllegalStateException(e);
        }
    }

    private NodeSight sight(RMNode known, Heartbeats heartbeats) {
        NodeId id = known.getNodeID();
        Optional<FiCaSchedulerNode> node = scheduler.node(id);
        if (node.isEmpty()) {
            // Of one that is not healthy the scheduler knows nothing, and its containers may still run.
            return new NodeSight(
                    id.toString(),
                    id.getHost(),
                    "",
                    YarnResources.vector(known.getTotalCapability()),
                    YarnResources.vector(known.getTotalCapability()),
                    false,
                    Stage.OTHER);
        }
        FiCaSchedulerNode scheduled = node.get();
        boolean isEmpty = scheduled.getCopiedListOfRunningContainers().isEmpty()
                && scheduled.getReservedContainer() == null
                // What they have left there, others of their containers may come for.
                && known.getRunningApps().isEmpty();
        return new NodeSight(
                id.toString(),
                id.getHost(),
                scheduled.getPartition(),
                YarnResources.vector(scheduled.getTotalResource()),
                // Nobody starts anything where nobody answers.
                heartbeats.silentMs(scheduled) > 0
                        ? ResourceVector.ZERO
                        : YarnResources.vector(scheduled.getUnallocatedResource()),
                isEmpty,
                stage(known.getState()));
    }

    private static Stage stage(NodeState state) {
        return state == NodeState.RUNNING
                ? Stage.RUNNING
                : state == NodeState.DECOMMISSIONING ? Stage.DRAINING : Stage.OTHER;
    }

    @Override
    public Waiting waiting(Collection<NodeKind> off) {
        return new WaitingAsks(scheduler, gangs, off, heldBack, limited)
                .of(context.getRMApps().values());
    }

    @Override
    public boolean isExcluded(String host) {
        HostsFileReader files = context.getNodesListManager().getHostsReader();
        // Who has no such files pays for no look at names.
        return (!files.getHosts().isEmpty() || !files.getExcludedHosts().isEmpty())
                && !context.getNodesListManager().isValidNode(host);
    }

    @Override
    public boolean isDecommissioned(String node) {
        return Optional.ofNullable(context.getInactiveRMNodes().get(NodeId.fromString(node)))
                .filter(known -> known.getState() == NodeState.DECOMMISSIONED)
                .isPresent();
    }

    @Override
    public void drain(String node) {
        send(new RMNodeDecommissioningEvent(NodeId.fromString(node), DRAIN_SECONDS));
    }

    @Override
    public void keep(String node) {
        send(new RMNodeEvent(NodeId.fromString(node), RMNodeEventType.RECOMMISSION));
    }

    @SuppressWarnings("unchecked") // Hadoop's dispatchers have no types.
    private void send(RMNodeEvent event) {
        context.getDispatcher().getEventHandler().handle(event);
    }
}
