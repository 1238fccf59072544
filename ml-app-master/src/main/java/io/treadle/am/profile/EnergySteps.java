// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** The configurations that are still to be measured. Caps only fall, and from cap to cap the batch stays. */
final class EnergySteps {
    /**
     * @param capWatts of each GPU, W
     * @param batchSize samples of each worker's pass; 0 for as many as it takes by itself
     */
    record Step(double capWatts, long batchSize) {}

    private final Deque<Step> left;
    private int done;

    private EnergySteps(Deque<Step> left) {
        this.left = left;
    }

    static EnergySteps none() {
        return new EnergySteps(new ArrayDeque<>());
    }

    /**
     * @param caps falling: nodes lower limits at once, and let rises wait
     * @param batchSizes beside the workers' own
     */
    static EnergySteps of(List<Double> caps, List<Long> batchSizes, Predicate<Step> isKnown) {
        List<Long> order = new ArrayList<>(List.of(0L));
        order.addAll(batchSizes);
        Deque<Step> steps = new ArrayDeque<>();
        for (double cap : caps) {
            order.stream()
                    .map(batch -> new Step(cap, batch))
                    .filter(isKnown.negate())
                    .forEach(steps::add);
            Collections.reverse(order);
        }
        return new EnergySteps(steps);
    }

    boolean areDone() {
        return left.isEmpty();
    }

    /** The one that is due; there must be one. */
    Step current() {
        return left.getFirst();
    }

    void next() {
        left.removeFirst();
        done++;
    }

    /** Other batches than the workers' own from that size on do not fit. */
    void leaveOut(long fromBatchSize) {
        left.removeIf(step -> step.batchSize() >= Math.max(1, fromBatchSize));
    }

    /** The number of the one that is due, from 1. */
    int number() {
        return done + 1;
    }

    int count() {
        return done + left.size();
    }
}
