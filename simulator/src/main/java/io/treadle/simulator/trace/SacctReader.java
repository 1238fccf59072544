// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Dialect;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.input.Times;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Slurm's accounting, as {@code sacct -P} prints it (slurm.schedmd.com/sacct.html): a row for each job, for each of an
 * array and for each step; steps ({@code 123.batch}) are parts of their job and left out. GPUs are those given, else
 * those asked for, of the {@code TRES} columns, or of the older {@code GRES} columns, which count them per node.
 */
final class SacctReader implements TraceReader {
    /** What AnalySIM's call prints, which leaves out the header. */
    private static final List<String> BARE = List.of(
            "JobID",
            "JobName",
            "Partition",
            "ReqNodes",
            "ReqGRES",
            "AllocNodes",
            "AllocGRES",
            "User",
            "Priority",
            "State",
            "Submit",
            "Start",
            "End");

    private static final int MOST_NODES = 100_000;

    @Override
    public String format() {
        return "sacct";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names(Dialect.BARS, "JobID", "Submit", "Start", "End") || isBare(head);
    }

    private static boolean isBare(Head head) {
        List<String> first = head.row(Dialect.BARS);
        return first.size() == BARE.size()
                && Stream.of("Submit", "Start", "End")
                        .map(time -> first.get(BARE.indexOf(time)))
                        .allMatch(time ->
                                Times.isNone(time) || Times.parseMs(time).isPresent());
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.isDated();
        Table table = isBare(Head.of(file))
                ? Table.withoutHeader(file, Dialect.BARS, BARE)
                : Table.withHeader(file, Dialect.BARS);
        intake.rows(table, row -> read(row, table.names().size(), intake));
    }

    private static void read(Row row, int columns, Intake intake) {
        if (row.size() != columns) {
            throw row.wrong(row.size() + " fields", columns + " as in the first row: maybe a job's name holds a bar");
        }
        String id = row.text("JobID");
        if (id.contains(".")) {
            return;
        }
        long nodes = nodes(row);
        long gpus = gpus(row, nodes);
        Optional<History> ran = History.of(row.anyTimeMs("Start"), row.anyTimeMs("End"));
        if (intake.wants(gpus, ran.map(History::seconds).orElse(0.0))) {
            if (gpus > Shapes.MOST_GPUS) {
                throw row.wrong(gpus + " GPUs", "at most " + Shapes.MOST_GPUS);
            }
            intake.add(
                    row,
                    "JobID",
                    TraceJob.of(
                                    id,
                                    // A job may name several partitions and runs in one: sacct lists that first.
                                    row.optional("Partition").orElse("").split(",", 2)[0],
                                    row.timeMs("Submit"),
                                    nodes > 0
                                            ? intake.shapes().onNodes(nodes, gpus)
                                            : intake.shapes().onFewestNodes(gpus),
                                    Work.ofSeconds(ran.orElseThrow().seconds()))
                            .ofUser(row.optional("User").orElse(""))
                            .that(ran)
                            .with(Attributes.ended(row.optional("State").flatMap(EndState::of))));
        }
    }

    private static long nodes(Row row) {
        return Stream.of("AllocNodes", "NNodes", "ReqNodes")
                .map(row::anyNumber)
                .filter(nodes -> nodes.isPresent() && nodes.getAsDouble() >= 1 && nodes.getAsDouble() <= MOST_NODES)
                .findFirst()
                .map(nodes -> (long) nodes.getAsDouble())
                .orElse(0L);
    }

    private static long gpus(Row row, long nodes) {
        for (String total : List.of("AllocTRES", "ReqTRES")) {
            long gpus = SlurmGpus.in(row.optional(total).orElse(""));
            if (gpus > 0) {
                return gpus;
            }
        }
        for (String perNode : List.of("AllocGRES", "ReqGRES")) {
            long gpus = SlurmGpus.in(row.optional(perNode).orElse(""));
            if (gpus > 0) {
                return gpus * Math.max(1, nodes);
            }
        }
        return 0;
    }
}
