// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.engine.JobRun;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Nothing is on a node that is down. */
final class DownCheck implements Check {
    private final Map<String, Set<JobRun>> onNode = new HashMap<>();
    private final Set<String> down = new LinkedHashSet<>();
    private long times;

    @Override
    public void nodeDown(String node) {
        down.add(node);
        times++;
    }

    @Override
    public void nodeUp(String node) {
        down.remove(node);
    }

    @Override
    public void gaveBack(JobRun job, List<TaskPlacement> tasks) {
        tasks.forEach(task -> on(task).remove(job));
    }

    @Override
    public void took(JobRun job, List<TaskPlacement> tasks) {
        tasks.forEach(task -> on(task).add(job));
    }

    private Set<JobRun> on(TaskPlacement task) {
        return onNode.computeIfAbsent(task.nodeId(), any -> new LinkedHashSet<>());
    }

    @Override
    public void settled(long nowMs) {
        for (String node : down) {
            Set<JobRun> there = onNode.getOrDefault(node, Set.of());
            if (!there.isEmpty()) {
                throw new BrokenRuleException(
                        nowMs, "job " + there.iterator().next() + " is on node " + node + ", which is down");
            }
        }
    }

    @Override
    public String words() {
        return times == 0 ? "no node down" : String.format(Locale.ROOT, "nodes %,d times down and empty", times);
    }
}
