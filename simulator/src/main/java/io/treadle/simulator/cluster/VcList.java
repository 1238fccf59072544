// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@code vc,node_num}: virtual clusters of so many nodes with 8 GPUs, each for its own jobs. */
final class VcList implements ClusterForm {
    static final ResourceVector EIGHT_GPUS = ResourceVector.of(8, 0, 0);

    @Override
    public String looksLike() {
        return "vc,node_num";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("vc") && (head.names("node_num") || head.names("node num"));
    }

    @Override
    public SimCluster read(Path file) {
        Table table = Table.withHeader(file);
        String count = table.has("node_num") ? "node_num" : "node num";
        List<Partition> partitions = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long[] all = {0};
        table.forEach(row -> {
            String name = row.text("vc");
            if (!names.add(name)) {
                throw row.wrong("vc", name, "named once");
            }
            int nodes = (int) row.whole(count, 1, NodeList.MOST_NODES);
            all[0] += nodes;
            NodeList.checkNodes(file, all[0]);
            partitions.add(new Partition(name, Nodes.alike(name + "-", nodes, EIGHT_GPUS)));
        });
        return SimCluster.of(file, partitions);
    }
}
