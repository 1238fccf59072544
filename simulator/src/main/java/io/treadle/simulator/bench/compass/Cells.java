// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.replay.InParallel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Runs variants on the same seeds, as many at a time as there are threads. */
final class Cells {
    private final List<Long> seeds;
    private final int threads;
    private final IntConsumer done;
    private final AtomicInteger ended = new AtomicInteger();

    /** @param done is told how many runs have ended */
    Cells(List<Long> seeds, int threads, IntConsumer done) {
        this.seeds = List.copyOf(seeds);
        this.threads = threads;
        this.done = done;
    }

    /** What is to be run. */
    record Asked(Variant variant, QueryWork work) {}

    Cell run(Variant variant, QueryWork work) {
        return run(List.of(new Asked(variant, work))).get(0);
    }

    /** In their order. */
    List<Cell> run(List<Asked> all) {
        List<List<QueryFigures>> figures = new ArrayList<>();
        List<Runnable> pieces = new ArrayList<>();
        for (Asked asked : all) {
            List<QueryFigures> own = new ArrayList<>(Collections.nCopies(seeds.size(), new QueryFigures(0, 0, 0, 0)));
            figures.add(own);
            for (int i = 0; i < seeds.size(); i++) {
                int place = i;
                pieces.add(() -> {
                    QueryFigures found = QueryFigures.of(asked.variant(), asked.work(), seeds.get(place));
                    synchronized (own) {
                        own.set(place, found);
                    }
                    done.accept(ended.incrementAndGet());
                });
            }
        }
        InParallel.run(threads, pieces);
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            cells.add(new Cell(all.get(i).variant(), all.get(i).work(), figures.get(i)));
        }
        return cells;
    }
}
