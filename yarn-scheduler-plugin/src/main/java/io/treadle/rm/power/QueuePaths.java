// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How full paths of queues relate. */
final class QueuePaths {
    private QueuePaths() {}

    /** Whether {@code path} is {@code above} or a queue below it. */
    static boolean isUnder(String path, String above) {
        return path.equals(above) || path.startsWith(above + ".");
    }

    /** Sums by queue: each with all that is below it. */
    static Map<String, Double> rolledUp(Map<String, Double> byQueue) {
        Map<String, Double> sums = new HashMap<>(byQueue);
        byQueue.forEach((path, amount) -> above(path).forEach(queue -> sums.merge(queue, amount, Double::sum)));
        return sums;
    }

    /** The queues above it, the nearest first. */
    static List<String> above(String path) {
        List<String> above = new ArrayList<>();
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            above.add(path.substring(0, dot));
        }
        return above;
    }
}
