// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Traces of the Synergy artifact: with a header that names demands and speeds, or bare rows of job, model, arrival,
 * iterations and GPUs, whose models are those of its zoo.
 */
final class SynergyReader implements TraceReader {
    private static final List<String> BARE = List.of("job_id", "model", "arrival_s", "total_iterations", "gpus");
    private static final int MOST_GPUS = 100_000;

    static boolean looksHeaderless(List<String> first) {
        return first.size() == BARE.size() && SynergyModels.find(first.get(1)).isPresent();
    }

    @Override
    public String format() {
        return "synergy";
    }

    @Override
    public boolean recognises(Path file) {
        return Table.withHeader(file).has("total_iterations") || looksHeaderless(Table.firstRow(file));
    }

    @Override
    public List<TraceJob> read(Path file, SimCluster cluster) {
        Table table = looksHeaderless(Table.firstRow(file)) ? Table.withoutHeader(file, BARE) : Table.withHeader(file);
        List<TraceJob> jobs = new ArrayList<>();
        table.forEach(row -> jobs.add(job(row)));
        return jobs;
    }

    private static TraceJob job(Row row) {
        String name = row.text("model");
        SynergyModels.Model model =
                SynergyModels.find(name).orElseThrow(() -> row.wrong("model", name, "one of " + SynergyModels.names()));
        return new TraceJob(
                row.text("job_id"),
                "",
                row.secondsAsMs("arrival_s"),
                Shapes.ofSingleGpus((int) row.whole("gpus", 1, MOST_GPUS)),
                new Work(row.whole("total_iterations", 0, 1L << 50), model.secondsPerIteration()),
                Optional.of(model.speed()),
                OptionalDouble.empty());
    }
}
