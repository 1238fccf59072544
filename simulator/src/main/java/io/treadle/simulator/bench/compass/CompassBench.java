// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.input.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** What Compass makes of queries, beside what it is compared to, on the workflows of its authors. */
public final class CompassBench {
    /** Of a run: what it may need of the heap is reckoned with it. */
    public static final int MOST_REQUESTS = 5000;

    static final int WORKERS = 5;
    static final int FEW = 4;
    static final int TWICE = 8;
    /** Of loads, the one at which fewer workers and staler knowledge are looked at. */
    static final double MIDDLE = 2;

    private static final int STEP = 2;

    /** ms; the first is the usual. */
    private static final List<Double> STALE = List.of(10.0, 0.0, 100.0, 200.0, 500.0, 1000.0, 2000.0);

    private final Path out;
    private final long seed;
    private final int seeds;
    private final CompassSizes sizes;

    /**
     * @param out where the results go
     * @param seeds how many, from {@code seed} on
     */
    public CompassBench(Path out, long seed, int seeds, CompassSizes sizes) {
        this.out = out;
        this.seed = seed;
        this.seeds = seeds;
        this.sizes = sizes;
    }

    /**
     * @param say is told what comes next
     * @param done is told how many simulations are done
     * @return what a terminal is told
     */
    public CompassOutcome run(int threads, Consumer<String> say, IntConsumer done) {
        Machine machine = Machine.here();
        say.accept("timing decisions");
        List<DecisionCost> decisions = sizes.deciding().stream()
                .map(workers -> DecisionCost.measure(workers, seed))
                .toList();
        Cells cells = new Cells(LongStream.range(seed, seed + seeds).boxed().toList(), threads, done);
        List<List<Cell>> loads = new ArrayList<>();
        for (double load : sizes.loads()) {
            say.accept("queries at " + Row.plain(load) + " a second on " + WORKERS + " workers");
            loads.add(cells.run(Variant.COMPARED.stream()
                    .map(variant -> new Cells.Asked(variant, work(WORKERS, load)))
                    .toList()));
        }
        say.accept("fewer workers, and staler knowledge");
        Cell few = cells.run(Variant.OURS, work(FEW, MIDDLE));
        Cell twice = cells.run(Variant.HASH, work(TWICE, MIDDLE));
        List<Cell> stale = cells.run(STALE.stream()
                .map(ms -> new Cells.Asked(Variant.stale(ms), work(WORKERS, MIDDLE)))
                .toList());
        say.accept("what each part is worth");
        double highest = sizes.loads().get(sizes.loads().size() - 1);
        List<Cell> ablations = cells.run(Variant.ABLATIONS.stream()
                .map(variant -> new Cells.Asked(variant, work(WORKERS, highest)))
                .toList());
        say.accept("many workers: queries at " + Row.plain(sizes.manyPerSecond()) + " a second");
        Halving many = Halving.find(cells, sizes.manyPerSecond(), sizes.manyWorkers(), sizes.manyRequests(), STEP);
        CompassResult result = new CompassResult(
                machine, seed, seeds, sizes.requests(), loads, few, twice, stale, ablations, many, decisions);
        CompassFiles.write(out, result, compared(result));
        return new CompassOutcome(CompassText.of(result), Goals.missed(result));
    }

    private QueryWork work(int workers, double perSecond) {
        return new QueryWork(workers, perSecond, sizes.requests());
    }

    private static List<Compared> compared(CompassResult result) {
        List<Compared> rows = new ArrayList<>();
        for (List<Cell> load : result.loads()) {
            Cell ours = load.get(0);
            for (Cell theirs : load.subList(1, load.size())) {
                String name = String.format(
                        Locale.ROOT,
                        "%s at %s a second",
                        theirs.variant().name(),
                        Row.plain(ours.work().perSecond()));
                rows.add(row(name + ", mean", ours, theirs, QueryFigures::meanMs));
                rows.add(row(name + ", p95", ours, theirs, QueryFigures::p95Ms));
            }
        }
        rows.add(row("4 workers against 8 of hash, mean", result.few(), result.twice(), QueryFigures::meanMs));
        int ours = result.many().ours().work().workers();
        int theirs = result.many().theirs().work().workers();
        rows.add(new Compared(
                "workers for the p95 of hash on " + theirs, ours, theirs, (double) theirs / ours, "workers"));
        Cell fresh = result.stale().get(0);
        for (int i = 1; i < result.stale().size(); i++) {
            String name = String.format(
                    Locale.ROOT, "workers tell each other every %.0f ms instead of every 10, mean", STALE.get(i));
            rows.add(row(name, result.stale().get(i), fresh, QueryFigures::meanMs));
        }
        return rows;
    }

    private static Compared row(String name, Cell ours, Cell theirs, ToDoubleFunction<QueryFigures> figure) {
        return new Compared(
                name,
                ours.mean(figure),
                theirs.mean(figure),
                Math.exp(-ours.logRatio(theirs, figure).mean()),
                "ms");
    }
}
