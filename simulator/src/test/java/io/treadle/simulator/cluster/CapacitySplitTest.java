// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacitySplitTest {
    private final Path directory;

    CapacitySplitTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private SimCluster cluster(int vision, int nlp, int rest) throws IOException {
        Path file = directory.resolve("cluster.yaml");
        Files.writeString(
                file,
                """
                treadle-cluster: 1
                name: lab
                nodes: [{name: n, count: 40, gpus: 1}]
                partitions:
                  - name: all
                    nodes: [n]
                    queues:
                      - name: research
                        capacity: 60%%
                        maximum: 90%%
                        queues:
                          - {name: vision, capacity: %d%%, maximum: 50%%, priority: 2, policy: sjf}
                          - name: nlp
                            capacity: %d%%
                            queues: [{name: big, capacity: 75%%, maximum: 60%%}, {name: small, capacity: 25%%}]
                          - {name: rest, capacity: %d%%, takes: ['*']}
                      - {name: prod, capacity: 16}
                """
                        .formatted(vision, nlp, rest));
        return ClusterReader.read(file.toString());
    }

    private static CapacitySplit split(SimCluster cluster) {
        Partition partition = cluster.partitions().get(0);
        return new CapacitySplit(
                cluster, partition, partition.root().orElseThrow().children().get(0));
    }

    /** As if the file had said so. */
    @Test
    void isAsThatOfTheFile() throws IOException {
        CapacitySplit split = split(cluster(30, 20, 50));
        same(root(cluster(45, 40, 15)), root(split.with(List.of(45, 40, 15))));
        same(root(cluster(30, 20, 50)), root(split.with(List.of(30, 20, 50))));
    }

    private static SharedQueue root(SimCluster cluster) {
        return cluster.partitions().get(0).root().orElseThrow();
    }

    private static void same(SharedQueue expected, SharedQueue is) {
        assertEquals(expected.path(), is.path());
        assertEquals(expected.capacity(), is.capacity(), 1e-12, is.path());
        assertEquals(
                expected.withCapacity(0).withChildren(List.of()),
                is.withCapacity(0).withChildren(List.of()),
                "all else is as it was");
        assertEquals(expected.children().size(), is.children().size());
        for (int i = 0; i < is.children().size(); i++) {
            same(expected.children().get(i), is.children().get(i));
        }
    }

    @Test
    void percentsOfTheParent() throws IOException {
        CapacitySplit split = split(cluster(30, 20, 50));
        List<SharedQueue> queues = split.parent().children();
        assertEquals(30, split.now(queues.get(0)), 1e-9);
        // 30 % of 60 % of 40 are 7.2.
        assertEquals(7, split.gpus(30));
        assertEquals(24, split.gpus(100));
        // It may hold half of 90 % of all, 45 %, which is 75 % of what its parent is sure of.
        assertEquals(75, split.most(queues.get(0)));
        // The one below it may hold 60 % of 90 %, 54 % of all; three quarters of 90 % of 60 % are 40.5 %, of 100 % 45
        // %.
        assertEquals(100, split.most(queues.get(1)));
        assertEquals(100, split.most(queues.get(2)));
    }
}
