// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * Input of the simulator of Alibaba's PAI trace (alibaba/clusterdata, {@code cluster-trace-gpu-v2020/simulator}): jobs of
 * {@code num_inst} instances that start together, {@code num_gpu} GPUs or a part of one each; seconds. CPUs are not
 * asked for: clusters of other traces have others beside their GPUs.
 */
final class PaiReader implements TraceReader {
    private static final Columns INSTANCES = Columns.of("num_inst", "num_pod");
    private static final Columns FORETOLD = Columns.of("group_gpu_dur", "group_dur", "user_gpu_dur", "user_dur");
    private static final int MOST_INSTANCES = 1_000_000;

    @Override
    public String format() {
        return "pai";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_id", "num_gpu", "submit_time", "duration") && INSTANCES.isIn(head);
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        double gpus = row.optional("num_gpu").isEmpty() ? 0 : row.number("num_gpu", 0, 1024);
        double seconds = row.number("duration", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        String instances = INSTANCES.in(row);
        int tasks = row.optional(instances).isEmpty() ? 1 : (int) row.whole(instances, 1, MOST_INSTANCES);
        if (intake.wants(gpus, seconds)) {
            intake.add(
                    row,
                    "job_id",
                    TraceJob.of(
                                    row.text("job_id"),
                                    "",
                                    row.secondsAsMs("submit_time"),
                                    intake.shapes()
                                            .tasks(
                                                    tasks,
                                                    gpus,
                                                    row.optional("gpu_type").orElse("")),
                                    Work.ofSeconds(seconds))
                            .ofUser(row.optional("user").orElse(""))
                            .foretold(row.anyNumber(FORETOLD.in(row))));
        }
    }
}
