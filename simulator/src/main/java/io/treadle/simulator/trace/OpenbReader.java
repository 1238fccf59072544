// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Pods of Alibaba's openb lists: they come one after the other, in the order of the file, and never end. CPU counts in
 * thousandths of a core, a card as 1,000 parts.
 *
 * <p>Lists that FGD's simulator has made longer name a pod that comes again {@code <pod>-tuned-<number>}.
 */
final class OpenbReader implements TraceReader {
    static final long CARD = 1000;
    /** Stands in the name of a pod that comes again, before its number. */
    static final String AGAIN = "-tuned-";

    @Override
    public String format() {
        return "openb";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("cpu_milli", "num_gpu");
    }

    @Override
    public void read(Path file, Intake intake) {
        Table table = Table.withHeader(file);
        String name = table.has("pod") ? "pod" : "name";
        intake.rows(
                table,
                row -> intake.add(
                        row,
                        name,
                        TraceJob.of(
                                row.text(name),
                                "",
                                intake.size() * 1000L,
                                List.of(new TaskGroup("pod", 1, 1, ask(row), models(row))),
                                Work.NEVER_ENDS)));
    }

    /** Without a load the pods come as the file has them, and the draws that made it so are made again. */
    @Override
    public boolean isRandom() {
        return true;
    }

    @Override
    public Workload prepare(SimCluster cluster, List<TraceJob> jobs, Experiment experiment) {
        FgdDraws draws = new FgdDraws(experiment.seed());
        List<TraceJob> pods = jobs.stream().filter(pod -> !comesAgain(pod)).toList();
        if (experiment.load().isPresent()) {
            if (pods.size() < jobs.size()) {
                throw new InputException("--load draws pods from a list of Alibaba, this one has been drawn already: it"
                        + " has pods named " + AGAIN + ".");
            }
            List<TraceJob> drawn = draws.pods(
                    pods, cluster.capacity().gpus(), experiment.load().getAsDouble());
            return new Workload(draws.order(cluster), drawn, pods);
        }
        draws.again(pods.size(), jobs.size() - pods.size());
        return new Workload(draws.order(cluster), jobs, pods);
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
        return row.optional("gpu_spec")
                .map(spec -> Set.copyOf(List.of(spec.split("\\|"))))
                .orElse(Set.of());
    }
}
