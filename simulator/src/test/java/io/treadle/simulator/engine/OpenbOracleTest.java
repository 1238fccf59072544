// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The node of every pod, as FGD's simulator chose it. */
class OpenbOracleTest {
    @Test
    void bestFitChoosesTheSameNodes() {
        Path trace = Reference.file("traces/oracle-fragmentation-seed42.csv.gz");
        Path cluster = Reference.file("traces/alibaba/openb_node_list_gpu_node.csv.gz");
        Map<String, String> expected = new LinkedHashMap<>();
        Table.withHeader(trace)
                .forEach(row -> expected.put(
                        row.text("pod"), row.optional("bestfit_node").orElse("")));
        Map<String, String> got = new LinkedHashMap<>();
        Runs.run(trace, cluster.toString(), Runs.options(Compat.NONE, "best-fit"), "fifo")
                .forEach(job -> got.put(job.job().id(), String.join(";", job.nodes())));
        assertEquals(10_866, got.size());
        expected.forEach((pod, node) -> assertEquals(node, got.get(pod), () -> "pod " + pod));
    }
}
