// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.resource.ResourceVector;
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
}
