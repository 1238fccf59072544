// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/** {@code sn,cpu_milli,memory_mib,gpu,model}: nodes of Alibaba's openb lists; CPU counts in thousandths of a core. */
final class OpenbNodes implements ClusterForm {
    @Override
    public String looksLike() {
        return "sn,cpu_milli,memory_mib,gpu,model";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("sn", "cpu_milli", "memory_mib", "gpu");
    }

    @Override
    public SimCluster read(Path file) {
        NodeList nodes = new NodeList(file);
        Table.withHeader(file)
                .forEach(row -> nodes.add(
                        row.text("sn"),
                        "",
                        ResourceVector.of(
                                0,
                                row.whole("cpu_milli", 0, NodeList.MOST_VCORES),
                                row.whole("memory_mib", 0, NodeList.MOST_MIB)),
                        java.util.List.of(new NodeList.Cards(
                                row.optional("model").orElse(""),
                                (int) row.whole("gpu", 0, NodeList.MOST_GPUS),
                                NodeList.PARTS_OF_A_CARD))));
        return SimCluster.ofAll(file, nodes.nodes());
    }
}
