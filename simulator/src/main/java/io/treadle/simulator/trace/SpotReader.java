// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * Alibaba's trace of spot GPUs (alibaba/clusterdata, {@code cluster-trace-v2026-spot-gpu}): {@code worker_num} workers of
 * {@code gpu_request} GPUs each; seconds since the first job. The queue is {@code job_type}, {@code HP} or {@code Spot},
 * the user the organization; {@code HP} is a higher priority.
 */
final class SpotReader implements TraceReader {
    private static final int MOST_WORKERS = 1_000_000;

    @Override
    public String format() {
        return "spot";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_name", "gpu_request", "worker_num", "submit_time", "duration");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        double gpus = row.number("gpu_request", 0, 1024);
        int workers = (int) row.whole("worker_num", 1, MOST_WORKERS);
        double seconds = row.number("duration", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            intake.add(
                    row,
                    "job_name",
                    TraceJob.of(
                                    row.text("job_name"),
                                    row.optional("job_type").orElse(""),
                                    row.secondsAsMs("submit_time"),
                                    intake.shapes()
                                            .tasks(
                                                    workers,
                                                    gpus,
                                                    row.optional("gpu_model").orElse("")),
                                    Work.ofSeconds(seconds))
                            .ofUser(row.optional("organization").orElse(""))
                            .with(Attributes.ofPriority(
                                    row.optional("job_type")
                                                    .filter("HP"::equals)
                                                    .isPresent()
                                            ? 1
                                            : 0)));
        }
    }
}
