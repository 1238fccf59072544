// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * Traces of Muri (Rivendile/Muri, {@code trace-data}): Tiresias' columns and the stages of an iteration after them. Times
 * are <em>milliseconds</em>; that is what tells it from {@link TiresiasReader}, not the columns' names.
 */
final class MuriReader implements TraceReader {
    private static final double MOST_MS = Row.MOST_SECONDS * 1000;

    @Override
    public String format() {
        return "muri";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_id", "num_gpu", "submit_time", "duration", "iteration_time", "resource_time_0");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("num_gpu", 0, Shapes.MOST_GPUS);
        double ms = row.number("duration", -MOST_MS, MOST_MS);
        if (intake.wants(gpus, ms)) {
            intake.add(
                    row,
                    "job_id",
                    TraceJob.of(
                            row.text("job_id"),
                            "",
                            Math.round(row.number("submit_time", 0, MOST_MS)),
                            intake.shapes().onFewestNodes(gpus),
                            Work.ofSeconds(ms / 1000)));
        }
    }
}
