// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code date,<virtual cluster>…,total}: GPUs of each virtual cluster day by day, as Helios' lists have them
 * (S-Lab-System-Group/HeliosData, {@code cluster_gpu_number.csv}). The cluster is that of the last day: nodes of 8 GPUs,
 * and one of what is left; virtual clusters that had none that day are left out.
 */
final class VcsByDay implements ClusterForm {
    private static final int MOST_GPUS = 8 * NodeList.MOST_NODES;

    @Override
    public String looksLike() {
        return "date,<vc>,<vc>,...,total";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("date", "total");
    }

    @Override
    public SimCluster read(Path file) {
        Table table = Table.withHeader(file);
        List<Row> days = new ArrayList<>();
        table.forEach(days::add);
        if (days.isEmpty()) {
            throw new InputException(file + " names no day.");
        }
        Row last = days.get(days.size() - 1);
        List<Partition> partitions = new ArrayList<>();
        long all = 0;
        for (String name : table.names()) {
            String key = name.toLowerCase(Locale.ROOT);
            if (name.isEmpty() || key.equals("date") || key.equals("total")) {
                continue;
            }
            int gpus = (int) last.whole(name, 0, MOST_GPUS);
            all += (gpus + 7) / 8;
            NodeList.checkNodes(file, all);
            List<NodeView> nodes = new ArrayList<>(Nodes.alike(name + "-", gpus / 8, VcList.EIGHT_GPUS));
            if (gpus % 8 > 0) {
                nodes.add(Nodes.node(name + "-" + nodes.size(), "", ResourceVector.of(gpus % 8, 0, 0), List.of()));
            }
            if (!nodes.isEmpty()) {
                partitions.add(new Partition(name, nodes));
            }
        }
        return SimCluster.of(file, partitions);
    }
}
