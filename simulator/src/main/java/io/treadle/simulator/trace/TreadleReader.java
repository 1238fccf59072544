// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Our own format, {@code docs/spec/trace.md}, and lists with the same columns under other names. */
final class TreadleReader implements TraceReader {
    private static final Columns ID = Columns.of("job_id", "jobid", "jobname");
    private static final Columns QUEUE = Columns.of("queue", "vc");
    private static final Columns SUBMIT = Columns.of("submit_s", "submit_time");
    private static final Columns DURATION = Columns.of("duration_s", "duration");
    private static final Columns GPUS = Columns.of("gpus", "num_gpu");
    private static final Columns FORETOLD = Columns.of("foretold_s", "qssf_duration_estimate");
    private static final long MOST_GPUS = 1_000_000;

    @Override
    public String format() {
        return "treadle";
    }

    @Override
    public boolean recognises(Path file) {
        Table table = Table.withHeader(file);
        return ID.isIn(table) && SUBMIT.isIn(table) && DURATION.isIn(table) && GPUS.isIn(table);
    }

    @Override
    public List<TraceJob> read(Path file, SimCluster cluster) {
        long perNode = cluster.partitions().stream()
                .mapToLong(Partition::mostGpusOnANode)
                .max()
                .orElse(0);
        Shapes shapes = new Shapes(Math.max(1, perNode));
        List<TraceJob> jobs = new ArrayList<>();
        Table.withHeader(file).forEach(row -> jobs.add(job(row, shapes)));
        return jobs;
    }

    private static TraceJob job(Row row, Shapes shapes) {
        return new TraceJob(
                row.text(ID.in(row)),
                row.optional(QUEUE.in(row)).orElse(""),
                row.secondsAsMs(SUBMIT.in(row)),
                shapes.onFewestNodes(row.whole(GPUS.in(row), 1, MOST_GPUS)),
                Work.ofSeconds(row.number(DURATION.in(row), 0, Row.MOST_SECONDS)),
                Optional.empty(),
                row.anyNumber(FORETOLD.in(row)));
    }
}
