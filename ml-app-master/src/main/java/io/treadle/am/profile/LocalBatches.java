// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The samples of a GPU's pass that other numbers of GPUs would bring, where a step of all GPUs has as many samples as ever. */
final class LocalBatches {
    /** Beside the own number and the most: batches a factor of four apart are foretold from each other well. */
    private static final int BESIDE = 4;

    private LocalBatches() {}

    /**
     * Falling, each smaller than the own: what a GPU takes in one pass now is the most that is known to fit.
     *
     * @param own samples of a GPU's pass now
     * @param step samples of a step of all GPUs
     * @param gpus that the job has
     * @param mostGpus that it may have
     */
    static List<Long> of(long own, long step, int gpus, int mostGpus) {
        TreeSet<Integer> numbers = new TreeSet<>(List.of(gpus, Math.max(gpus, mostGpus)));
        if (BESIDE > gpus && BESIDE < mostGpus) {
            numbers.add(BESIDE);
        }
        between(new ArrayList<>(numbers)).forEach(numbers::add);
        return numbers.stream()
                .map(n -> (step + n - 1) / n)
                .filter(size -> size < own)
                .distinct()
                .toList();
    }

    /** A power of two in the widest gap, where there is one. */
    private static List<Integer> between(List<Integer> numbers) {
        int low = 0;
        for (int i = 1; i + 1 < numbers.size(); i++) {
            boolean wider =
                    (double) numbers.get(i + 1) / numbers.get(i) > (double) numbers.get(low + 1) / numbers.get(low);
            low = wider ? i : low;
        }
        if (numbers.size() < 2) {
            return List.of();
        }
        int from = numbers.get(low);
        int to = numbers.get(low + 1);
        int middle = Integer.highestOneBit((int) Math.sqrt((double) from * to));
        return middle > from && middle < to ? List.of(middle) : List.of();
    }
}
