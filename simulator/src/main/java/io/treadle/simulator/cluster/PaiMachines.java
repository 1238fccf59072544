// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Dialect;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;

/**
 * Machines of Alibaba's PAI trace ({@code pai_machine_spec.csv}): rows {@code machine,gpu_type,cap_cpu,cap_mem,cap_gpu},
 * with or without those names above them; memory in GB.
 */
final class PaiMachines implements ClusterForm {
    private static final List<String> COLUMNS = List.of("machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu");
    private static final String NO_GPU = "CPU";

    @Override
    public String looksLike() {
        return String.join(",", COLUMNS);
    }

    @Override
    public boolean recognises(Head head) {
        return hasHeader(head) || isBare(head.row(Dialect.COMMAS));
    }

    private static boolean hasHeader(Head head) {
        return head.names(COLUMNS.toArray(String[]::new));
    }

    private static boolean isBare(List<String> row) {
        return row.size() == COLUMNS.size()
                && !row.get(1).isEmpty()
                && row.subList(2, row.size()).stream().allMatch(value -> value.matches("\\d{1,9}(\\.\\d+)?"));
    }

    @Override
    public SimCluster read(Path file) {
        NodeList nodes = new NodeList(file);
        Table table = hasHeader(Head.of(file)) ? Table.withHeader(file) : Table.withoutHeader(file, COLUMNS);
        table.forEach(row -> {
            String model = row.text("gpu_type");
            nodes.add(
                    row.text("machine"),
                    "",
                    (long) row.number("cap_cpu", 0, 1e9),
                    (long) (1024 * row.number("cap_mem", 0, 1e9)),
                    (int) row.whole("cap_gpu", 0, NodeList.MOST_GPUS),
                    model.equals(NO_GPU) ? "" : model);
        });
        return SimCluster.ofAll(file, nodes.nodes());
    }
}
