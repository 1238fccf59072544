// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * One row {@code num_switch,switch_nodes,node_gpu,node_cpu,node_mem}: switches with as many nodes each, all alike; memory
 * in GB. AnalySIM has these columns; Tiresias' simulator and those made from it name them
 * {@code num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node}.
 */
final class SwitchesAlike implements ClusterForm {
    @Override
    public String looksLike() {
        return "num_switch,switch_nodes,node_gpu,node_cpu,node_mem";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("num_switch");
    }

    @Override
    public SimCluster read(Path file) {
        NodeList nodes = new NodeList(file);
        Table table = Table.withHeader(file);
        boolean own = table.has("switch_nodes");
        table.forEach(row -> {
            int switches = (int) row.whole("num_switch", 1, NodeList.MOST_NODES);
            int each = (int) row.whole(own ? "switch_nodes" : "num_node_p_switch", 1, NodeList.MOST_NODES);
            long all = nodes.nodes().size() + (long) switches * each;
            if (all > NodeList.MOST_NODES) {
                throw row.wrong("num_switch", switches + " of " + each, "at most " + NodeList.MOST_NODES + " nodes");
            }
            int gpus = (int) row.whole(own ? "node_gpu" : "num_gpu_p_node", 0, NodeList.MOST_GPUS);
            long vcores = row.whole(own ? "node_cpu" : "num_cpu_p_node", 0, NodeList.MOST_VCORES);
            long memoryMiB = 1024 * row.whole(own ? "node_mem" : "mem_p_node", 0, NodeList.MOST_GB);
            for (int i = 0; i < switches * each; i++) {
                int number = nodes.nodes().size();
                nodes.add("node-" + number, "switch-" + number / each, vcores, memoryMiB, gpus, "");
            }
        });
        return SimCluster.ofAll(file, nodes.nodes());
    }
}
