// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import java.util.Objects;
import java.util.TreeMap;

/**
 * How many workers of ours answer as fast as many of another's, by p95.
 *
 * @param theirs what hash does on {@code theirs.work().workers()} workers
 * @param ours on the fewest workers with a p95 that is no longer
 */
record Halving(Cell theirs, Cell ours) {
    /** @param step between numbers of workers that are tried */
    static Halving find(Cells cells, double perSecond, int workers, int requests, int step) {
        Cell theirs = cells.run(Variant.HASH, new QueryWork(workers, perSecond, requests));
        TreeMap<Integer, Cell> tried = new TreeMap<>();
        // More workers answer sooner, by and large: halve what is left until two neighbours tell.
        int enough = workers / step;
        int few = 0;
        tried.put(enough, cells.run(Variant.OURS, new QueryWork(enough * step, perSecond, requests)));
        while (enough - few > 1) {
            int middle = (enough + few) / 2;
            Cell cell = cells.run(Variant.OURS, new QueryWork(middle * step, perSecond, requests));
            tried.put(middle, cell);
            if (cell.mean(QueryFigures::p95Ms) <= theirs.mean(QueryFigures::p95Ms)) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        return new Halving(theirs, Objects.requireNonNull(tried.get(enough)));
    }
}
