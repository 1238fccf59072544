// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;

/**
 * Workloads of Pollux and Sia (petuum/adaptdl, siasosp23/artifacts): seconds, one GPU a replica. They name an application
 * and no run time, which those simulators take from measured tables of statistical efficiency; a column
 * {@code duration} must say it here.
 */
final class PolluxReader implements TraceReader {
    private static final Columns DURATION = Columns.of("duration", "duration_s");

    @Override
    public String format() {
        return "pollux";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("name", "time", "application", "num_replicas");
    }

    @Override
    public void read(Path file, Intake intake) {
        Table table = Table.withHeader(file);
        if (!table.has("duration") && !table.has("duration_s")) {
            throw new InputException(file + " has no column 'duration': workloads of Pollux and Sia name applications,"
                    + " whose run times stand in tables of their own simulators and not here."
                    + "\nMaybe add a column 'duration' with the seconds that each job runs on its num_replicas GPUs.");
        }
        intake.rows(table, row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("num_replicas", 0, Shapes.MOST_GPUS);
        double seconds = row.number(DURATION.in(row), -Row.MOST_SECONDS, Row.MOST_SECONDS);
        if (intake.wants(gpus, seconds)) {
            intake.add(
                    row,
                    "name",
                    TraceJob.of(
                            row.text("name"),
                            "",
                            row.secondsAsMs("time"),
                            intake.shapes().onFewestNodes(gpus),
                            Work.ofSeconds(seconds)));
        }
    }
}
