// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/** Clusters for tests. */
public final class Clusters {
    private Clusters() {}

    /** One partition of nodes with 8 GPUs. */
    public static SimCluster ofEights(int nodes) {
        return ofEights(nodes, 0);
    }

    /** @param vcores of each node */
    public static SimCluster ofEights(int nodes, long vcores) {
        return new SimCluster(
                "test",
                List.of(new Partition("", Nodes.alike("n", nodes, ResourceVector.of(8, vcores, 0)))),
                SimCluster.Sharing.NOTHING);
    }

    /** One partition of racks, {@code r0} and on, with as many nodes of 8 GPUs each, {@code n0} and on. */
    public static SimCluster ofRacks(int racks, int nodesEach) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 0; i < racks * nodesEach; i++) {
            nodes.add(Nodes.node("n" + i, "r" + i / nodesEach, ResourceVector.of(8, 0, 0), List.of()));
        }
        return new SimCluster("test", List.of(new Partition("", nodes)), SimCluster.Sharing.NOTHING);
    }
}
