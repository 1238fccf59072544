// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Draw over time: every 10 s for the last hour, and before that each minute's mean for the last day. */
public final class PowerHistory {
    public static final long STEP_MS = 10_000;
    static final int FINE = 360;
    static final int COARSE = 1380;
    private static final int STEPS_PER_MINUTE = 6;
    /** In a sample: a cluster may have thousands of queues, and there are 1,740 samples. */
    static final int MOST_QUEUES = 100;

    private final Deque<Sample> fine = new ArrayDeque<>();
    private final Deque<Sample> coarse = new ArrayDeque<>();
    private final List<Sample> leaving = new ArrayList<>();

    /**
     * Draw at a moment, or the mean of the minute that ends with it.
     *
     * @param atMs ms since the epoch
     * @param watts of all nodes that spoke, W
     * @param budgetWatts what they might draw, W
     * @param queues of GPUs, by leaf queue, W; the 100 that draw most
     */
    public record Sample(long atMs, double watts, OptionalDouble budgetWatts, Map<String, Double> queues) {
        public Sample {
            queues = queues.size() <= MOST_QUEUES
                    ? Map.copyOf(queues)
                    : queues.entrySet().stream()
                            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                            .limit(MOST_QUEUES)
                            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        }
    }

    /** To be called every {@value #STEP_MS} ms. */
    synchronized void add(Sample sample) {
        fine.addLast(sample);
        if (fine.size() <= FINE) {
            return;
        }
        leaving.add(fine.removeFirst());
        if (leaving.size() == STEPS_PER_MINUTE) {
            coarse.addLast(mean(leaving));
            leaving.clear();
            if (coarse.size() > COARSE) {
                coarse.removeFirst();
            }
        }
    }

    private static Sample mean(List<Sample> samples) {
        Sample last = samples.get(samples.size() - 1);
        Map<String, Double> queues = new HashMap<>();
        samples.forEach(
                s -> s.queues().forEach((queue, watts) -> queues.merge(queue, watts / samples.size(), Double::sum)));
        return new Sample(
                last.atMs(),
                samples.stream().mapToDouble(Sample::watts).average().orElse(0),
                last.budgetWatts(),
                queues);
    }

    /** By time. */
    public synchronized List<Sample> samples() {
        List<Sample> all = new ArrayList<>(coarse);
        all.addAll(leaving);
        all.addAll(fine);
        return all;
    }

    /** Those of the last hour, by time. */
    public synchronized List<Sample> lastHour() {
        return new ArrayList<>(fine);
    }
}
