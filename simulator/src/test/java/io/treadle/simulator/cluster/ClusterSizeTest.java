// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.InputException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSizeTest {
    private static final ResourceVector SERVER = ResourceVector.of(8, 24, 512_000);

    private static SimCluster cluster(int... nodes) {
        List<Partition> partitions = new ArrayList<>();
        for (int count : nodes) {
            String name = "p" + partitions.size();
            partitions.add(new Partition(name, Nodes.alike(name + "-", count, SERVER)));
        }
        return new SimCluster("small", partitions, SimCluster.Sharing.NOTHING);
    }

    private static List<Integer> sizes(SimCluster cluster) {
        return cluster.partitions().stream().map(p -> p.nodes().size()).toList();
    }

    @Test
    void fewerNodesAreTheFirst() {
        SimCluster two = ClusterSize.of(cluster(4), 2);
        assertEquals(
                List.of("p0-0", "p0-1"),
                two.partitions().get(0).nodes().stream().map(NodeView::id).toList());
    }

    @Test
    void moreNodesFollowAgainUnderNewNames() {
        SimCluster five = ClusterSize.of(cluster(2), 5);
        assertEquals(
                List.of("p0-0", "p0-1", "p0-0~2", "p0-1~2", "p0-0~3"),
                five.partitions().get(0).nodes().stream().map(NodeView::id).toList());
        assertEquals(40, five.capacity().gpus());
    }

    @Test
    void partitionsKeepTheirParts() {
        assertEquals(List.of(10, 20, 30), sizes(ClusterSize.of(cluster(1, 2, 3), 60)));
        assertEquals(List.of(1, 1, 2), sizes(ClusterSize.of(cluster(10, 20, 30), 4)));
        assertEquals(List.of(1, 1, 1), sizes(ClusterSize.of(cluster(1, 1, 98), 3)));
    }

    @Test
    void aSizeThatCannotBeIsRefused() {
        InputException few = assertThrows(InputException.class, () -> ClusterSize.of(cluster(2, 2), 1));
        assertTrue(few.toString().contains("1 nodes in small, must be from 2"), few.toString());
        assertThrows(InputException.class, () -> ClusterSize.of(cluster(2), NodeList.MOST_NODES + 1));
    }
}
