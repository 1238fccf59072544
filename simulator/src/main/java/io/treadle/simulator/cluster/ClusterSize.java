// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.simulator.input.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A cluster of the same kind with more nodes or fewer. */
public final class ClusterSize {
    private ClusterSize() {}

    /**
     * The first nodes of each partition where there are to be fewer; where there are to be more, they follow again in
     * their order, named {@code node~2}, {@code node~3} and so on, in racks named so too. Partitions keep their parts of
     * the whole, as nearly as whole nodes can, and at least one node each.
     *
     * @param nodes how many there are to be in all
     * @throws InputException if that is less than one for each partition, or more than a cluster may have
     */
    public static SimCluster of(SimCluster cluster, int nodes) {
        int least = cluster.partitions().size();
        if (nodes < least || nodes > NodeList.MOST_NODES) {
            throw new InputException("cannot have " + nodes + " nodes in " + cluster.name() + ", must be from " + least
                    + " (one in each partition) to " + NodeList.MOST_NODES + ".");
        }
        if (nodes == cluster.nodes()) {
            return cluster;
        }
        int[] counts = counts(cluster, nodes);
        List<Partition> partitions = new ArrayList<>();
        for (Partition partition : cluster.partitions()) {
            partitions.add(partition.withNodes(nodes(partition.nodes(), counts[partitions.size()])));
        }
        return new SimCluster(
                cluster.name() + " with " + nodes + " nodes",
                partitions,
                cluster.sharing(),
                cluster.speeds(),
                outages(cluster, partitions),
                cluster.sharedStorageMBps(),
                cluster.power());
    }

    /** Those of the nodes that there still are; a node that follows again fails as often as its first. */
    private static Outages outages(SimCluster cluster, List<Partition> partitions) {
        Outages all = cluster.outages();
        Set<String> names = new HashSet<>();
        Map<String, FailureRate> rates = new HashMap<>();
        for (Partition partition : partitions) {
            for (NodeView node : partition.nodes()) {
                names.add(node.id());
                String first = node.id().replaceFirst("~\\d+$", "");
                FailureRate rate =
                        all.rates().getOrDefault(node.id(), all.rates().get(first));
                if (rate != null) {
                    rates.put(node.id(), rate);
                }
            }
        }
        return new Outages(
                all.told().stream().filter(o -> names.contains(o.node())).toList(), rates, all.seed());
    }

    /**
     * One partition alone with another number of nodes.
     *
     * @throws InputException if a cluster cannot have so many
     */
    public static SimCluster ofPartition(SimCluster cluster, Partition partition, int nodes) {
        SimCluster alone = new SimCluster(
                partition.name(),
                List.of(partition),
                cluster.sharing(),
                cluster.speeds(),
                cluster.outages(),
                cluster.sharedStorage(partition)
                        .map(SharedStorage::megabytesPerSecond)
                        .orElse(0L),
                cluster.power());
        return of(alone, nodes);
    }

    /** One node after the other goes to the partition that is furthest below its part. */
    private static int[] counts(SimCluster cluster, int nodes) {
        int[] counts = new int[cluster.partitions().size()];
        Arrays.fill(counts, 1);
        for (int given = counts.length; given < nodes; given++) {
            int poorest = 0;
            for (int i = 1; i < counts.length; i++) {
                // Cross-multiplied, so that equal shares compare equal.
                if ((long) counts[i] * size(cluster, poorest) < (long) counts[poorest] * size(cluster, i)) {
                    poorest = i;
                }
            }
            counts[poorest]++;
        }
        return counts;
    }

    private static int size(SimCluster cluster, int partition) {
        return cluster.partitions().get(partition).nodes().size();
    }

    private static List<NodeView> nodes(List<NodeView> own, int count) {
        List<NodeView> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            NodeView node = own.get(i % own.size());
            nodes.add(i < own.size() ? node : renamed(node, "~" + (i / own.size() + 1)));
        }
        return nodes;
    }

    private static NodeView renamed(NodeView node, String suffix) {
        return Nodes.node(
                node.id() + suffix,
                node.rack().isEmpty() ? "" : node.rack() + suffix,
                node.capacity(),
                node.devices().stream()
                        .map(d -> new DeviceView(d.uuid() + suffix, d.model(), d.memoryMiB(), 0, d.usable(), d.link()))
                        .toList());
    }
}
