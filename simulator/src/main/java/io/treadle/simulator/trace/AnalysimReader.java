// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * Job lists of AnalySIM (arXiv 2201.03175): {@code jid,num_node,num_gpu,submit_time,running_time,model,partition}, times
 * to submit as dates or seconds. GPUs are the same on each of {@code num_node} nodes, rounded up.
 */
final class AnalysimReader implements TraceReader {
    private static final int MOST_NODES = 100_000;

    @Override
    public String format() {
        return "analysim";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("jid", "num_node", "num_gpu", "submit_time", "running_time");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.isDated();
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("num_gpu", 0, Shapes.MOST_GPUS);
        long nodes = row.whole("num_node", 1, MOST_NODES);
        double seconds = row.number("running_time", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            intake.add(
                    row,
                    "jid",
                    TraceJob.of(
                            row.text("jid"),
                            row.optional("partition").orElse(""),
                            row.timeMs("submit_time"),
                            intake.shapes().onNodes(nodes, gpus),
                            Work.ofSeconds(seconds)));
        }
    }
}
