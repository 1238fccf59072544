// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Traces of Tiresias (SymbioticLab/Tiresias, {@code simulator/60_job.csv}) and of the many simulators made from it, such
 * as ElasticFlow's (pkusys/ElasticFlow, {@code traces_for_ElasticFlow}), which have deadlines ({@code ddl}, since the
 * trace's zero) where {@code best_effort} is not 1: seconds. Muri's, of milliseconds, have more columns:
 * {@link MuriReader}.
 */
final class TiresiasReader implements TraceReader {
    private final String format;
    private final String[] columns;

    private TiresiasReader(String format, String... columns) {
        this.format = format;
        this.columns = columns;
    }

    static TiresiasReader tiresias() {
        return new TiresiasReader(
                "tiresias", "job_id", "num_gpu", "submit_time", "iterations", "model_name", "duration");
    }

    static TiresiasReader elasticFlow() {
        return new TiresiasReader("elasticflow", "job_id", "submit_time", "iteration", "ddl", "num_gpu", "duration");
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public boolean recognises(Head head) {
        return head.names(columns);
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("num_gpu", 0, Shapes.MOST_GPUS);
        double seconds = row.number("duration", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            long submitMs = row.secondsAsMs("submit_time");
            intake.add(
                    row,
                    "job_id",
                    TraceJob.of(
                                    row.text("job_id"),
                                    "",
                                    submitMs,
                                    intake.shapes().onFewestNodes(gpus),
                                    Work.ofSeconds(seconds))
                            .with(new Attributes(0, deadline(row, submitMs), Optional.empty())));
        }
    }

    private static OptionalLong deadline(Row row, long submitMs) {
        boolean none = row.optional("ddl").isEmpty()
                || row.optional("best_effort").filter("1"::equals).isPresent();
        return none ? OptionalLong.empty() : OptionalLong.of(row.secondsAsMs("ddl") - submitMs);
    }
}
