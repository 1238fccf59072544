// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.core.query.ClusterView;
import java.util.ArrayList;
import java.util.List;

/** The workers of a desk by number; the number of one that is gone goes to the next that comes. Guarded by the {@link QueryDesk}. */
final class KnownWorkers implements ClusterView {
    private final List<WorkerHandle> all = new ArrayList<>();

    /** @return its number */
    int join(WorkerHandle worker) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isGone()) {
                all.set(i, worker);
                return i;
            }
        }
        all.add(worker);
        return all.size() - 1;
    }

    @Override
    public int workers() {
        return all.size();
    }

    @Override
    public WorkerHandle at(int worker) {
        return all.get(worker);
    }

    boolean isDeserted() {
        return all.stream().allMatch(WorkerHandle::isGone);
    }

    List<DeskFigures.Worker> figures() {
        return all.stream()
                .filter(worker -> !worker.isGone())
                .map(WorkerHandle::figures)
                .toList();
    }

    /**
     * The worker, or the next one that gets what is new: of those that are gone or leave hashing knows nothing. One that leaves
     * is better than none.
     */
    int instead(int worker) {
        int leaving = worker;
        for (int i = 0; i < all.size(); i++) {
            int at = (worker + i) % all.size();
            if (all.get(at).isChosen()) {
                return at;
            }
            if (all.get(leaving).isGone()) {
                leaving = at;
            }
        }
        return leaving;
    }

    /** Another worker than this one that gets what is new; this one where there is none. */
    int other(int worker) {
        return instead((worker + 1) % all.size());
    }
}
