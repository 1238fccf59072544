// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.input.Table;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Openb pods as FGD's simulator placed them. */
class OpenbOracleTest {
    private static final long GPUS = 6212;

    private final Path drawn = Reference.file("traces/oracle-fragmentation-seed42.csv.gz");
    private final Path list = Reference.file("traces/alibaba/openb_pod_list_default.csv.gz");
    private final Path cluster = Reference.file("traces/alibaba/openb_node_list_gpu_node.csv.gz");

    @Test
    void bestFitChoosesTheSameNodes() {
        Map<String, String> expected = new LinkedHashMap<>();
        Table.withHeader(drawn)
                .forEach(row -> expected.put(
                        row.text("pod"), row.optional("bestfit_node").orElse("")));
        Map<String, String> got = new LinkedHashMap<>();
        Runs.run(drawn, cluster.toString(), Runs.options(Compat.NONE, "best-fit"), "fifo")
                .forEach(job -> got.put(job.job().id(), String.join(";", job.nodes())));
        assertEquals(10_866, got.size());
        expected.forEach((pod, node) -> assertEquals(node, got.get(pod), () -> "pod " + pod));
    }

    @Test
    void fgdAllocatesAsMuch() {
        List<JobRun> jobs = Runs.run(drawn, cluster.toString(), Runs.options(Compat.NONE, "fgd"), "fifo");
        assertEquals(95.29, allocatedPercent(jobs), .005);
    }

    @Test
    void theSamePodsAreDrawnFromTheList() {
        List<String> expected = new ArrayList<>();
        Table.withHeader(drawn).forEach(row -> expected.add(row.text("pod")));
        assertEquals(expected, ids(Runs.workload(list, cluster.toString(), experiment(42, 1.3))));
    }

    /** The draws of Go 1.19 in the order of FGD's simulator, which removes pods at random where they are too many. */
    @Test
    void podsThatAreTooManyAreTakenAway() {
        Workload half = Runs.workload(list, cluster.toString(), experiment(42, .5));
        List<String> pods = ids(half);
        assertEquals(4207, pods.size());
        assertEquals(List.of("openb-pod-0255", "openb-pod-1685"), pods.subList(0, 2));
        assertEquals("openb-pod-0538", pods.get(4206));
        assertEquals(
                "openb-node-0135",
                half.cluster().partitions().get(0).nodes().get(0).id());
    }

    private static List<String> ids(Workload workload) {
        return workload.jobs().stream().map(TraceJob::id).toList();
    }

    /**
     * Percent of GPUs that are allocated when 130 % have been asked for, as the authors published them for each seed
     * (experiments/analysis/expected_results/analysis_allo_discrete.csv); theirs may be of a moment before the last pod.
     */
    @ParameterizedTest
    @CsvSource({
        "best-fit, 43, 93.25",
        "best-fit, 51, 92.89",
        "fgd, 46, 95.49",
        "fgd, 49, 95.47",
        "dot-product, 44, 91.03",
        "dot-product, 48, 91.28",
        "packed, 45, 92.79",
        "packed, 47, 91.29",
    })
    void otherSeedsEndAsPublished(String placement, long seed, double percent) {
        List<JobRun> jobs = Runs.run(
                Runs.workload(list, cluster.toString(), experiment(seed, 1.3)),
                Runs.options(Compat.NONE, placement),
                "fifo");
        assertEquals(percent, allocatedPercent(jobs), .015);
    }

    private static Experiment experiment(long seed, double load) {
        return new Experiment(seed, OptionalDouble.of(load));
    }

    private static double allocatedPercent(List<JobRun> jobs) {
        long thousandths = jobs.stream()
                .flatMap(job -> job.placements().stream())
                .mapToLong(task -> task.size().gpus() * 1000 + task.size().gpuMemoryMiB())
                .sum();
        return thousandths / (GPUS * 10.0);
    }
}
