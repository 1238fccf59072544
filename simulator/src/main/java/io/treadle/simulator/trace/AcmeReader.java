// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Job logs of the Shanghai AI Lab's clusters Seren and Kalos (InternLM/AcmeTrace, {@code trace_seren.csv},
 * {@code trace_kalos.csv}): dates with offsets. The run time is from start to end where both are known: in Kalos the
 * column {@code duration} holds the time in the queue too. {@code queue} is how long a job waited and not where.
 */
final class AcmeReader implements TraceReader {
    @Override
    public String format() {
        return "acme";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_id", "gpu_num", "submit_time", "gpu_time") && !head.names("vc");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.isDated();
        intake.rows(Table.withHeader(file), row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        long gpus = row.whole("gpu_num", 0, Shapes.MOST_GPUS);
        Optional<History> ran = History.of(row.anyTimeMs("start_time"), row.anyTimeMs("end_time"));
        double seconds = ran.isEmpty() && row.optional("duration").isPresent()
                ? row.number("duration", -Row.MOST_SECONDS, Row.MOST_SECONDS)
                : ran.map(History::seconds).orElse(0.0);
        if (intake.wants(gpus, seconds)) {
            intake.add(
                    row,
                    "job_id",
                    TraceJob.of(
                                    row.text("job_id"),
                                    "",
                                    row.timeMs("submit_time"),
                                    intake.shapes().onFewestNodes(gpus),
                                    Work.ofSeconds(seconds))
                            .ofUser(row.optional("user").orElse(""))
                            .that(ran)
                            .with(Attributes.ended(row.optional("state").flatMap(EndState::of))));
        }
    }
}
