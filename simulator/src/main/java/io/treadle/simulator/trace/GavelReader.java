// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Dialect;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Traces of Gavel (stanford-futuredata/gavel, {@code scheduler/traces}): rows of 6, 7 or 10 fields between tabs without a
 * header, and lists of such traces with one. A job runs {@code total_steps} at the speed that {@link GavelThroughputs}
 * tell; its id is its number from 0, as in Gavel.
 */
final class GavelReader implements TraceReader {
    private static final Map<Integer, List<String>> FIELDS = Map.of(
            6, List.of("job_type", "command", "steps_arg", "total_steps", "arrival_s", "scale_factor"),
            7,
                    List.of(
                            "job_type",
                            "command",
                            "steps_arg",
                            "needs_data_dir",
                            "total_steps",
                            "arrival_s",
                            "scale_factor"),
            10,
                    List.of(
                            "job_type",
                            "command",
                            "working_directory",
                            "steps_arg",
                            "needs_data_dir",
                            "total_steps",
                            "scale_factor",
                            "priority_weight",
                            "slo",
                            "arrival_s"));

    @Override
    public String format() {
        return "gavel";
    }

    @Override
    public boolean recognises(Head head) {
        return isList(head) || FIELDS.containsKey(head.row(Dialect.TABS).size());
    }

    private static boolean isList(Head head) {
        return head.names("job_type", "total_steps", "arrival_s", "scale_factor");
    }

    @Override
    public void read(Path file, Intake intake) {
        Head head = Head.of(file);
        GavelThroughputs speeds = GavelThroughputs.near(file);
        if (isList(head)) {
            intake.rows(Table.withHeader(file), row -> read(row, row.number() - 2, speeds, intake));
            return;
        }
        int fields = head.row(Dialect.TABS).size();
        List<String> names = FIELDS.get(fields);
        if (names == null) {
            throw new InputException(file + " is no trace of Gavel: its first row has " + fields
                    + " fields between tabs, must have 6, 7 or 10.");
        }
        intake.rows(Table.withoutHeader(file, Dialect.TABS, names), row -> {
            if (row.size() != fields) {
                throw row.wrong(row.size() + " fields", fields + " as in the first row");
            }
            read(row, row.number() - 1, speeds, intake);
        });
    }

    private static void read(Row row, long number, GavelThroughputs speeds, Intake intake) {
        long gpus = row.whole("scale_factor", 0, Shapes.MOST_GPUS);
        double steps = row.number("total_steps", -1e15, 1e15);
        if (!intake.wants(gpus, steps)) {
            return;
        }
        String type = row.text("job_type");
        OptionalDouble speed = speeds.stepsPerSecond(type, gpus);
        if (speed.isEmpty()) {
            // The steps of Gavel's Philly traces are those of one GPU, however many the job has.
            speed = speeds.stepsPerSecond(type, 1);
            intake.remark(Intake.Remark.SPEED_OF_ONE_GPU);
        }
        if (speed.isEmpty()) {
            throw row.wrong("job_type", type, "a type of job in " + speeds.file());
        }
        intake.add(TraceJob.of(
                String.valueOf(number),
                row.optional("vc").orElse(""),
                row.secondsAsMs("arrival_s"),
                intake.shapes().onFewestNodes(gpus),
                Work.ofSeconds(steps / speed.getAsDouble())));
    }
}
