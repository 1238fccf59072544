// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * {@code node_id,node_gpu,node_cpu,node_mem,gpu_type,switch_id}: AnalySIM's nodes, one a row, each on its switch, which is
 * the node's rack here; memory in GB.
 */
final class NodesOfSwitches implements ClusterForm {
    @Override
    public String looksLike() {
        return "node_id,node_gpu,node_cpu,node_mem,gpu_type,switch_id";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("node_id", "node_gpu");
    }

    @Override
    public SimCluster read(Path file) {
        NodeList nodes = new NodeList(file);
        Table.withHeader(file)
                .forEach(row -> nodes.add(
                        row.text("node_id"),
                        row.optional("switch_id").orElse(""),
                        row.whole("node_cpu", 0, NodeList.MOST_VCORES),
                        1024 * row.whole("node_mem", 0, NodeList.MOST_GB),
                        (int) row.whole("node_gpu", 0, NodeList.MOST_GPUS),
                        row.optional("gpu_type").orElse("")));
        return SimCluster.ofAll(file, nodes.nodes());
    }
}
