// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is drawn at a moment, W.
 *
 * @param watts of all nodes that speak, with their GPUs
 * @param peakWatts what all nodes draw with all GPUs at their own limits, as they said last, those that are off and there
 *     for the asking with them; 0 where that is not known
 * @param idleWatts what they draw where nobody uses their GPUs
 * @param queues of GPUs, by the leaf queue whose jobs hold them
 * @param jobs of GPUs, by application
 * @param silent nodes that have said nothing for too long: they are left out of {@code watts}
 */
public record ClusterDraw(
        double watts,
        double peakWatts,
        double idleWatts,
        Map<String, Double> queues,
        Map<String, Double> jobs,
        List<String> silent) {
    /** Of a cluster of which nothing is known. */
    public static final ClusterDraw NOTHING = new ClusterDraw(0, 0, 0, Map.of(), Map.of(), List.of());

    public ClusterDraw {
        queues = Map.copyOf(queues);
        jobs = Map.copyOf(jobs);
        silent = List.copyOf(silent);
    }

    /** Of the GPUs of all jobs in a queue and in those below it. */
    public double under(String queue) {
        return queues.entrySet().stream()
                .filter(e -> QueuePaths.isUnder(e.getKey(), queue))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** With so much more drawn by queues, W. */
    public ClusterDraw withQueues(Map<String, Double> more) {
        Map<String, Double> all = new HashMap<>(queues);
        more.forEach((queue, part) -> all.merge(queue, part, Double::sum));
        return new ClusterDraw(watts, peakWatts, idleWatts, all, jobs, silent);
    }

    /** How many queues under {@code above} have jobs that draw, but for those under {@code path}. */
    long othersUnder(String above, String path) {
        return queues.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .filter(e -> above.equals(EnergyUse.CLUSTER) || QueuePaths.isUnder(e.getKey(), above))
                .filter(e -> !QueuePaths.isUnder(e.getKey(), path))
                .count();
    }
}
