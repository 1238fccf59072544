// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.energy.PowerOff;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which nodes are off. A node is switched off once it has been empty for long enough and enough others are empty too, and on
 * again where too few are left for jobs to come, or jobs wait. While it starts it takes no task and draws as any other.
 */
final class NodeSleep {
    private final PowerOff rules;
    private final long gpusOfNode;
    /** Since when each empty node that is on has been empty, ms. */
    private final Map<String, Long> emptySince = new TreeMap<>();

    private final Map<String, Integer> tasks = new HashMap<>();
    private final Set<String> asleep = new TreeSet<>();
    /** When nodes that start are there, ms. */
    private final Map<String, Long> startingMs = new TreeMap<>();

    /** @param gpusOfNode GPUs of each node */
    NodeSleep(PowerOff rules, Collection<String> nodes, long gpusOfNode) {
        this.rules = rules;
        this.gpusOfNode = gpusOfNode;
        nodes.forEach(node -> emptySince.put(node, 0L));
    }

    Set<String> asleep() {
        return asleep;
    }

    /** Whether nodes will be there soon that are not yet. */
    boolean isStarting() {
        return !startingMs.isEmpty();
    }

    /** How many nodes take no task: they are off, or start. */
    int off() {
        return asleep.size() + startingMs.size();
    }

    /** What a node draws that is off, W. */
    double offWatts() {
        return rules.offWatts();
    }

    /** Tasks have these places now. */
    void take(List<TaskPlacement> placed) {
        for (TaskPlacement task : placed) {
            tasks.merge(task.nodeId(), 1, Integer::sum);
            emptySince.remove(task.nodeId());
        }
    }

    void giveBack(long nowMs, List<TaskPlacement> placed) {
        for (TaskPlacement task : placed) {
            if (tasks.merge(task.nodeId(), -1, Integer::sum) == 0) {
                emptySince.put(task.nodeId(), nowMs);
            }
        }
    }

    /** Nodes that have started by now. */
    List<String> started(long nowMs) {
        List<String> there = startingMs.entrySet().stream()
                .filter(node -> node.getValue() <= nowMs)
                .map(Map.Entry::getKey)
                .toList();
        there.forEach(node -> {
            startingMs.remove(node);
            emptySince.put(node, nowMs);
        });
        return there;
    }

    /**
     * Switches nodes on that are needed, and off that are not.
     *
     * @param waitingGpus of jobs that wait, beyond what is free on nodes that are on; 0 or below for none
     * @return those that are off from now on
     */
    List<String> settle(long nowMs, long waitingGpus) {
        long needed = Math.max(0, (waitingGpus + gpusOfNode - 1) / gpusOfNode);
        long missing = Math.max(rules.spare() - emptySince.size(), needed) - startingMs.size();
        asleep.stream().limit(Math.max(0, missing)).toList().forEach(node -> {
            asleep.remove(node);
            startingMs.put(node, nowMs + Math.round(1000 * rules.wakeSeconds()));
        });
        List<String> off = new ArrayList<>();
        if (waitingGpus <= 0) {
            for (String node : longestEmpty()) {
                if (emptySince.size() > rules.spare() && nowMs >= sleepsMs(node)) {
                    emptySince.remove(node);
                    asleep.add(node);
                    off.add(node);
                }
            }
        }
        return off;
    }

    private List<String> longestEmpty() {
        return emptySince.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private long sleepsMs(String node) {
        return emptySince.getOrDefault(node, 0L) + Math.round(1000 * rules.idleSeconds());
    }

    /** When a node has started, or may be switched off, next, ms; {@link Long#MAX_VALUE} for never. */
    long nextMs(long afterMs) {
        long next = startingMs.values().stream().mapToLong(ms -> ms).min().orElse(Long.MAX_VALUE);
        if (emptySince.size() > rules.spare()) {
            for (String node : emptySince.keySet()) {
                long sleeps = sleepsMs(node);
                next = sleeps > afterMs ? Math.min(next, sleeps) : next;
            }
        }
        return next;
    }
}
