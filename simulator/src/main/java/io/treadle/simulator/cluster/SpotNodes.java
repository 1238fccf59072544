// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/** {@code node_name,gpu_model,gpu_capacity_num,cpu_num}: nodes of Alibaba's trace of spot GPUs (2026). */
final class SpotNodes implements ClusterForm {
    @Override
    public String looksLike() {
        return "node_name,gpu_model,gpu_capacity_num,cpu_num";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("node_name", "gpu_model", "gpu_capacity_num", "cpu_num");
    }

    @Override
    public SimCluster read(Path file) {
        NodeList nodes = new NodeList(file);
        Table.withHeader(file)
                .forEach(row -> nodes.add(
                        row.text("node_name"),
                        "",
                        row.whole("cpu_num", 0, NodeList.MOST_VCORES),
                        0,
                        (int) row.whole("gpu_capacity_num", 0, NodeList.MOST_GPUS),
                        row.optional("gpu_model").orElse("")));
        return SimCluster.ofAll(file, nodes.nodes());
    }
}
