// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Pods of Alibaba's openb lists: they come one after the other, in the order of the file, and never end. CPU counts in
 * thousandths of a core, a card as 1,000 parts.
 *
 * <p>Lists that FGD's simulator has made longer name a pod that comes again {@code <pod>-tuned-<number>}.
 */
final class OpenbReader implements TraceReader {
    private static final long CARD = 1000;
    private static final String AGAIN = "-tuned-";

    @Override
    public String format() {
        return "openb";
    }

    @Override
    public boolean recognises(Path file) {
        Table table = Table.withHeader(file);
        return table.has("cpu_milli") && table.has("num_gpu");
    }

    @Override
    public List<TraceJob> read(Path file, SimCluster cluster) {
        List<TraceJob> jobs = new ArrayList<>();
        Table table = Table.withHeader(file);
        String name = table.has("pod") ? "pod" : "name";
        table.forEach(row -> jobs.add(new TraceJob(
                row.text(name),
                "",
                jobs.size() * 1000L,
                List.of(new TaskGroup("pod", 1, 1, ask(row), models(row))),
                Work.NEVER_ENDS,
                Optional.empty(),
                OptionalDouble.empty())));
        return jobs;
    }

    @Override
    public SimCluster prepare(SimCluster cluster, List<TraceJob> jobs, long seed) {
        int again = (int) jobs.stream().filter(OpenbReader::comesAgain).count();
        int pods = jobs.size() - again;
        FgdDraws draws = new FgdDraws(seed);
        draws.arrivals(pods);
        // One more than those that came: the one that was too much.
        for (int i = 0; i <= again; i++) {
            draws.again(pods);
        }
        return draws.order(cluster);
    }

    private static boolean comesAgain(TraceJob pod) {
        return pod.id().contains(AGAIN);
    }

    private static ResourceVector ask(Row row) {
        long gpus = row.whole("num_gpu", 0, 1024);
        long part = gpus == 0 ? 0 : row.whole("gpu_milli", 0, CARD);
        if (gpus > 1 && part < CARD) {
            throw row.wrong("gpu_milli", String.valueOf(part), CARD + " where num_gpu is above 1");
        }
        boolean slice = gpus == 1 && part < CARD;
        return ResourceVector.of(
                        slice ? 0 : gpus, row.whole("cpu_milli", 0, 1L << 40), row.whole("memory_mib", 0, 1L << 50))
                .withGpuMemoryMiB(slice ? part : 0);
    }

    private static Set<String> models(Row row) {
        return row.optional("gpu_spec").map(spec -> Set.of(spec.split("\\|"))).orElse(Set.of());
    }
}
