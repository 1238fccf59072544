// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Dialect;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Traces of the Synergy artifact: with a header that names demands and speeds, or bare rows of job, model, arrival,
 * iterations and GPUs, whose models are those of its zoo.
 */
final class SynergyReader implements TraceReader {
    private static final List<String> BARE = List.of("job_id", "model", "arrival_s", "total_iterations", "gpus");
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?");
    private static final int MOST_GPUS = 100_000;
    private static final String ITERATION = "iter_time_s";
    private static final double LEAST_ITERATION_SECONDS = 1e-6;
    private static final double MOST_ITERATION_SECONDS = 1e6;

    @Override
    public String format() {
        return "synergy";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("job_id", "model", "arrival_s", "total_iterations") || isBare(head);
    }

    /** Told by a model, or by numbers where no header has any: then it is the model that is wrong. */
    private static boolean isBare(Head head) {
        List<String> first = head.row(Dialect.COMMAS);
        return first.size() == BARE.size()
                && (SynergyModels.find(first.get(1)).isPresent()
                        || IntStream.of(0, 2, 3, 4)
                                .allMatch(i -> NUMBER.matcher(first.get(i)).matches()));
    }

    @Override
    public void read(Path file, Intake intake) {
        Table table = isBare(Head.of(file)) ? Table.withoutHeader(file, BARE) : Table.withHeader(file);
        intake.rows(table, row -> read(row, intake));
    }

    private static void read(Row row, Intake intake) {
        row.checkNoMore();
        String name = row.text("model");
        SynergyModels.Model model =
                SynergyModels.find(name).orElseThrow(() -> row.wrong("model", name, "one of " + SynergyModels.names()));
        long gpus = row.whole("gpus", 0, MOST_GPUS);
        long iterations = row.whole("total_iterations", 0, 1L << 50);
        Work work = new Work(iterations, secondsPerIteration(row, model));
        if (work.seconds() > Row.MOST_SECONDS) {
            throw row.wrong(
                    "total_iterations",
                    row.text("total_iterations"),
                    "no more than " + Row.plain(Row.MOST_SECONDS) + " s of work, at " + work.secondsPerSample()
                            + " s for one");
        }
        if (intake.wants(gpus, iterations)) {
            intake.add(
                    row,
                    "job_id",
                    new TraceJob(
                            row.text("job_id"),
                            "",
                            row.secondsAsMs("arrival_s"),
                            intake.shapes().ofSingleGpus((int) gpus),
                            work,
                            Optional.of(model.speed()),
                            OptionalDouble.empty()));
        }
    }

    /** Lists for servers with more CPUs per GPU have other times at the share. */
    private static double secondsPerIteration(Row row, SynergyModels.Model model) {
        return row.optional(ITERATION).isPresent()
                ? row.number(ITERATION, LEAST_ITERATION_SECONDS, MOST_ITERATION_SECONDS)
                : model.secondsPerIteration();
    }
}
