// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangTable;
import io.treadle.rm.sleep.Need;
import io.treadle.rm.sleep.NodeKind;
import io.treadle.rm.sleep.NodeSight;
import io.treadle.rm.sleep.NodeSight.Stage;
import io.treadle.rm.sleep.YarnNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeDecommissioningEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Nodes of a ResourceManager, taken out as {@code yarn rmadmin -refreshNodes -g} does, without a file of excluded hosts. */
public final class NodesOfYarn implements YarnNodes {
    /** A node that gets a container while it drains is taken in again long before, s. */
    private static final int DRAIN_SECONDS = 86_400;

    private final SchedulerAccess scheduler;
    private final GangTable gangs;
    private final RMContext context;

    public NodesOfYarn(SchedulerAccess scheduler, GangTable gangs, RMContext context) {
        this.scheduler = scheduler;
        this.gangs = gangs;
        this.context = context;
    }

    @Override
    public List<NodeSight> nodes() {
        List<NodeSight> nodes = new ArrayList<>();
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            RMNode known = node.getRMNode();
            boolean empty = node.getCopiedListOfRunningContainers().isEmpty()
                    && node.getReservedContainer() == null
                    // What they have left there, others of their containers may come for.
                    && known.getRunningApps().isEmpty();
            nodes.add(new NodeSight(
                    node.getNodeID().toString(),
                    node.getPartition(),
                    YarnResources.vector(node.getTotalResource()),
                    YarnResources.vector(node.getUnallocatedResource()),
                    empty,
                    stage(known.getState())));
        }
        return nodes;
    }

    private static Stage stage(NodeState state) {
        return state == NodeState.RUNNING
                ? Stage.RUNNING
                : state == NodeState.DECOMMISSIONING ? Stage.DRAINING : Stage.OTHER;
    }

    @Override
    public List<Need> needs(Map<String, NodeKind> off) {
        return new WaitingAsks(scheduler, gangs, off).of(context.getRMApps().values());
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
