// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * Traces of Tiresias (SymbioticLab/Tiresias, {@code simulator/60_job.csv}) and of the many simulators made from it:
 * seconds. Muri's, of milliseconds, have more columns: {@link MuriReader}.
 */
final class TiresiasReader implements TraceReader {
    @Override
    public String format() {
        return "tiresias";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_id", "num_gpu", "submit_time", "iterations", "model_name", "duration");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("num_gpu", 0, Shapes.MOST_GPUS);
        double seconds = row.number("duration", -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            intake.add(
                    row,
                    "job_id",
                    TraceJob.of(
                            row.text("job_id"),
                            "",
                            row.secondsAsMs("submit_time"),
                            intake.shapes().onFewestNodes(gpus),
                            Work.ofSeconds(seconds)));
        }
    }
}
