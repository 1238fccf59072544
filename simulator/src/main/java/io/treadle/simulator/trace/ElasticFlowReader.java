// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Traces of ElasticFlow (pkusys/ElasticFlow, {@code traces_for_ElasticFlow}), in seconds: training jobs of a model and a
 * batch size with deadlines ({@code ddl}, since the trace's zero) where {@code best_effort} is not 1.
 */
final class ElasticFlowReader implements TraceReader {
    private static final ModelColumns MODEL = new ModelColumns("model_name", "batch_size");

    @Override
    public String format() {
        return "elasticflow";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_id", "submit_time", "iteration", "ddl", "num_gpu", "duration");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("num_gpu", 0, Shapes.MOST_GPUS);
        double seconds = row.number("duration", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (!intake.wants(gpus, seconds)) {
            return;
        }
        double iterations = row.number("iteration", 1, Row.MOST_SECONDS);
        long submitMs = row.secondsAsMs("submit_time");
        TraceJob job = TraceJob.of(
                        row.text("job_id"), "", submitMs, intake.shapes().onFewestNodes(gpus), Work.ofSeconds(seconds))
                .with(new Attributes(0, deadline(row, submitMs), Optional.empty()));
        intake.add(
                row,
                "job_id",
                MODEL.read(row, iterations, seconds / iterations)
                        .map(job::training)
                        .orElse(job));
    }

    private static OptionalLong deadline(Row row, long submitMs) {
        boolean none = row.optional("ddl").isEmpty()
                || row.optional("best_effort").filter("1"::equals).isPresent();
        return none ? OptionalLong.empty() : OptionalLong.of(row.secondsAsMs("ddl") - submitMs);
    }
}
