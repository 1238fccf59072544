// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.energy.PowerOff;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which nodes are off. A node is switched off once it has been empty for long enough and enough others are empty too. */
final class NodeSleep {
    private final PowerOff rules;
    /** Since when each empty node that is on has been empty, ms. */
    private final Map<String, Long> emptySince = new LinkedHashMap<>();

    private final Map<String, Integer> tasks = new HashMap<>();
    private final Set<String> asleep = new HashSet<>();
    /** When nodes that start are there, ms. */
    private final Map<String, Long> awakeMs = new HashMap<>();

    NodeSleep(PowerOff rules, Collection<String> nodes) {
        this.rules = rules;
        nodes.forEach(node -> emptySince.put(node, 0L));
    }

    Set<String> asleep() {
        return asleep;
    }

    /** What a node draws that is off, W. */
    double offWatts() {
        return rules.offWatts();
    }

    /** Tasks have these places now; nodes that are off start for them. */
    void take(long nowMs, List<TaskPlacement> placed) {
        for (TaskPlacement task : placed) {
            if (tasks.merge(task.nodeId(), 1, Integer::sum) == 1) {
                emptySince.remove(task.nodeId());
                wake(task.nodeId(), nowMs);
            }
        }
    }

    void giveBack(long nowMs, List<TaskPlacement> placed) {
        for (TaskPlacement task : placed) {
            if (tasks.merge(task.nodeId(), -1, Integer::sum) == 0) {
                emptySince.put(task.nodeId(), nowMs);
            }
        }
    }

    /** How long tasks wait until all of their nodes are there, s. */
    double wakeSeconds(long nowMs, List<TaskPlacement> placed) {
        long last = nowMs;
        for (TaskPlacement task : placed) {
            long there = asleep.contains(task.nodeId())
                    ? nowMs + Math.round(1000 * rules.wakeSeconds())
                    : awakeMs.getOrDefault(task.nodeId(), nowMs);
            last = Math.max(last, there);
        }
        return (last - nowMs) / 1000.0;
    }

    /** Switches nodes off that are not needed, and on where too few are left for jobs to come. */
    void settle(long nowMs) {
        List<String> longest = emptySince.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .map(Map.Entry::getKey)
                .toList();
        int idle = longest.size();
        for (String node : longest) {
            long since = emptySince.getOrDefault(node, nowMs);
            if (idle > rules.spare() && nowMs - since >= 1000 * rules.idleSeconds()) {
                emptySince.remove(node);
                asleep.add(node);
                idle--;
            }
        }
        for (String node : asleep.stream()
                .sorted()
                .limit(Math.max(0, rules.spare() - idle))
                .toList()) {
            wake(node, nowMs);
            emptySince.put(node, nowMs);
        }
    }

    private void wake(String node, long nowMs) {
        if (asleep.remove(node)) {
            awakeMs.put(node, nowMs + Math.round(1000 * rules.wakeSeconds()));
        }
    }
}
