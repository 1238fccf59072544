// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** {@code treadle bench simulator}: measures simulations of known and of drawn lists. */
public final class SimulatorBench {
    /** Jobs ask for as much as there is: some wait for hours. */
    private static final double LOAD = 1;

    private static final String LIKE = "helios";
    private static final List<String> POLICIES = List.of("fifo", "sjf", "srtf");
    private static final String PREEMPTING = "srtf";
    /** Beyond this the heap that a list needs is reckoned by its jobs. */
    private static final int LEAST_HEAP_MB = 256;

    private static final double HEAP_BYTES_PER_JOB = 1000;

    private final Path out;
    private final BenchSizes sizes;
    private final long seed;
    private final Lists lists;
    private final KnownLists known;
    private final Consumer<String> progress;

    /**
     * @param out where lists and results go
     * @param data holds {@code traces} and {@code synergy}, as far as they are there
     * @param progress is told each figure as it is known, a line each
     * @throws InputException if the directory cannot be written
     */
    public SimulatorBench(Path out, Path data, long seed, BenchSizes sizes, Consumer<String> progress) {
        this.out = out;
        this.sizes = sizes;
        this.seed = seed;
        this.progress = progress;
        lists = new Lists(out.resolve("lists"), seed);
        known = new KnownLists(data, lists);
    }

    /**
     * Measures all, writes the files and returns the tables.
     *
     * @throws InputException if something cannot be measured or written
     */
    public String run() {
        BenchResult result = measure();
        BenchFiles.write(out, result);
        return BenchTable.text(result);
    }

    private BenchResult measure() {
        Machine machine = Machine.here();
        progress.accept("on " + machine.inWords());
        List<BenchRow> beside = known.works().stream().map(this::measured).toList();
        known.missing().forEach(progress);
        String name = String.format(Locale.ROOT, "%,d jobs, %,d nodes", sizes.largeJobs(), sizes.largeNodes());
        List<Work> large = works(name, sizes.largeJobs(), sizes.largeNodes());
        List<BenchRow> largeRows = large.stream().map(this::measured).toList();
        Probed weighed = weighed(large.get(0));
        return new BenchResult(
                machine,
                seed,
                beside,
                largeRows,
                weighed,
                sizes.jobs().stream()
                        .flatMap(jobs -> curve(jobs, sizes.manyNodes()).stream())
                        .toList(),
                sizes.nodes().stream()
                        .flatMap(nodes -> curve(sizes.manyJobs(), nodes).stream())
                        .toList(),
                known.missing());
    }

    private List<BenchRow> curve(int jobs, int nodes) {
        String name = String.format(Locale.ROOT, "%,d jobs, %,d nodes", jobs, nodes);
        return works(name, jobs, nodes).stream().map(this::measured).toList();
    }

    /** One for each policy. */
    private List<Work> works(String name, int jobs, int nodes) {
        Path list = lists.jobs(LIKE, jobs, nodes, LOAD);
        String cluster = lists.cluster(nodes).toString();
        int heapMb = (int) Math.max(LEAST_HEAP_MB, jobs * HEAP_BYTES_PER_JOB / (1 << 20));
        return POLICIES.stream()
                .map(policy -> {
                    ProbeRequest request = ProbeRequest.of(list, cluster, policy);
                    return Work.of(
                            name + ", " + policy,
                            policy.equals(PREEMPTING) ? request.preempting() : request,
                            nodes,
                            heapMb);
                })
                .toList();
    }

    private BenchRow measured(Work work) {
        List<Probed> runs = new ArrayList<>();
        IntStream.range(0, sizes.repeats()).forEach(run -> runs.add(ChildJvm.measure(work.request(), work.heapMb())));
        BenchRow row =
                new BenchRow(work.name(), work.request().policy(), work.nodes(), work.heapMb(), runs, work.published());
        progress.accept(String.format(
                Locale.ROOT,
                "%s: %.2f s simulating, %.2f s warm, %.2f CPU s in all",
                row.name(),
                row.runSeconds(),
                row.warmSeconds(),
                row.allCpuSeconds()));
        return row;
    }

    private Probed weighed(Work work) {
        Probed weighed = ChildJvm.measure(work.request().weighing(), work.heapMb());
        progress.accept(BenchTable.heap(weighed));
        return weighed;
    }
}
