// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What workers have told of themselves: each knows itself as it is, and others as they last said that they were. After the
 * shared state table of Derecho that Compass stands on.
 */
public final class StateTable {
    /**
     * What a worker told.
     *
     * @param waitMs from then on
     * @param models that it held or fetched
     * @param freeKb of its GPU's memory
     */
    private record Told(double waitMs, BitSet models, double freeKb) implements WorkerState {
        @Override
        public boolean holds(int model) {
            return models.get(model);
        }
    }

    private final List<? extends WorkerState> workers;
    private final List<Optional<WorkerState>> told = new ArrayList<>();

    /** @param workers as they are */
    public StateTable(List<? extends WorkerState> workers) {
        this.workers = List.copyOf(workers);
        workers.forEach(worker -> told.add(Optional.empty()));
    }

    /**
     * A worker tells all others how it is now.
     *
     * @param models that it holds or fetches
     */
    public void publish(int worker, BitSet models) {
        WorkerState now = workers.get(worker);
        told.set(worker, Optional.of(new Told(now.waitMs(), (BitSet) models.clone(), now.freeKb())));
    }

    /** Reader's own row is as it is now, as are those of workers that never told anything. */
    public ClusterView seenBy(int reader) {
        return new ClusterView() {
            @Override
            public int workers() {
                return workers.size();
            }

            @Override
            public WorkerState at(int worker) {
                WorkerState own = workers.get(worker);
                return worker == reader ? own : told.get(worker).orElse(own);
            }
        };
    }
}
