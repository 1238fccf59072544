// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** No container is on two nodes, no node holds more than it has, and no GPU belongs to two containers. */
final class NodeBooks implements Check {
    /** Above them a container's number says which start of the ResourceManager granted it. */
    private static final int EPOCH_BITS = 40;

    /** What each container was first seen with. */
    private final Map<ContainerId, Set<String>> tags = new HashMap<>();

    @Override
    public void look(SimulatedCluster cluster) throws Exception {
        boolean updating = Yarn.isAnythingUpdating(cluster);
        Set<ContainerId> seen = new HashSet<>();
        for (FiCaSchedulerNode node : cluster.scheduler().getNodeTracker().getAllNodes()) {
            ResourceVector sum = ResourceVector.ZERO;
            ResourceVector recovered = ResourceVector.ZERO;
            Map<String, ContainerId> devices = new HashMap<>();
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                ContainerId id = container.getContainerId();
                if (!seen.add(id) && !updating) {
                    throw new Violation("nothing is doubled", id + " is on " + node.getNodeID() + " and elsewhere");
                }
                ResourceVector size = Yarn.vector(container.getContainer().getResource());
                sum = sum.plus(size);
                recovered = recovered.plus(isOfAnother(cluster, id) ? size : ResourceVector.ZERO);
                devices(cluster, node, container, devices);
                if (!updating) {
                    known(cluster, node, id);
                }
            }
            ResourceVector total = Yarn.vector(node.getTotalResource());
            ResourceVector allocated = Yarn.vector(node.getAllocatedResource());
            if (!updating && !sum.equals(allocated)) {
                throw new Violation(
                        "a node's books are the sum of its containers",
                        node.getNodeID() + " has " + allocated + ", its containers " + sum);
            }
            if ((!allocated.fitsIn(total) && recovered.fitsIn(total))
                    || !allocated
                            .plus(Yarn.vector(node.getUnallocatedResource()))
                            .equals(total)) {
                throw new Violation(
                        "no node is over-committed",
                        node.getNodeID() + " has " + total + ", " + allocated + " are allocated and "
                                + Yarn.vector(node.getUnallocatedResource()) + " free");
            }
        }
    }

    /**
     * Granted by a ResourceManager before this one. YARN gives room away at once when it takes a node for lost, ends a container or makes
     * one smaller; the node hears of it at a heartbeat. One that takes over meanwhile finds on the node what was there before as well.
     */
    private static boolean isOfAnother(SimulatedCluster cluster, ContainerId id) {
        return id.getContainerId() >> EPOCH_BITS
                != cluster.resourceManager().getRMContext().getEpoch();
    }

    private void devices(
            SimulatedCluster cluster, FiCaSchedulerNode node, RMContainer container, Map<String, ContainerId> devices)
            throws Exception {
        Set<String> now = container.getAllocationTags() == null ? Set.of() : container.getAllocationTags();
        Set<String> first = tags.computeIfAbsent(container.getContainerId(), id -> Set.copyOf(now));
        if (!first.equals(now)) {
            throw new Violation(
                    "a container keeps its tags", container.getContainerId() + " had " + first + " and has " + now);
        }
        int count = 0;
        for (String tag : now) {
            if (DeviceTag.parse(tag).isPresent()) {
                count++;
                String uuid = DeviceTag.parse(tag).get().uuid();
                ContainerId other = devices.put(uuid, container.getContainerId());
                boolean isReported = other != null
                        && isOfAnother(cluster, other)
                        && isOfAnother(cluster, container.getContainerId());
                if (other != null && !other.equals(container.getContainerId()) && !isReported) {
                    throw new Violation(
                            "a GPU belongs to one container",
                            uuid + " of " + node.getNodeID() + " belongs to " + other + " and to "
                                    + container.getContainerId());
                }
                if (!uuid.startsWith("GPU-" + node.getNodeID().getPort() + "-")) {
                    throw new Violation(
                            "a container has GPUs of its node",
                            container.getContainerId() + " on " + node.getNodeID() + " has " + uuid);
                }
            }
        }
        long gpus = Yarn.vector(container.getAllocatedResource()).gpus();
        // None where it was granted while nobody knew which the node has, as while ZooKeeper is away.
        if (count != 0 && count != gpus) {
            throw new Violation(
                    "a container has as many GPUs as it asked for",
                    container.getContainerId() + " has " + count + " of " + gpus);
        }
    }

    /** What is on a node in YARN's books is in its application's, or runs there until the node says that it has ended. */
    private static void known(SimulatedCluster cluster, FiCaSchedulerNode node, ContainerId id) {
        if (cluster.scheduler().getRMContainer(id) == null
                && cluster.node(node.getNodeID()).filter(n -> n.knows(id)).isEmpty()) {
            throw new Violation(
                    "no container stays on a node that does not have it",
                    id + " is on " + node.getNodeID() + " in YARN's books alone");
        }
    }
}
