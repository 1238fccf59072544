// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.engine.JobRun;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A job has all its tasks or none, each with what it asks for at least. */
final class GangCheck implements Check {
    private record Fault(String text) {}

    private final Map<JobRun, Fault> faults = new HashMap<>();
    private long gangs;

    @Override
    public void took(JobRun job, List<TaskPlacement> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        gangs++;
        Map<String, Long> count = new HashMap<>();
        tasks.forEach(task -> count.merge(task.group(), 1L, Long::sum));
        for (TaskGroup group : job.job().groups()) {
            Long there = count.remove(group.name());
            long has = there == null ? 0 : there;
            if (has < group.min() || has > group.max()) {
                faults.put(
                        job,
                        new Fault("job " + job + " has " + has + " tasks of group " + group.name() + ", must have "
                                + (group.min() == group.max()
                                        ? String.valueOf(group.min())
                                        : group.min() + " to " + group.max())));
            }
            for (TaskPlacement task : tasks) {
                if (task.group().equals(group.name()) && !group.ask().fitsIn(task.size())) {
                    faults.put(
                            job,
                            new Fault("job " + job + " holds " + task.size().describe() + " on node " + task.nodeId()
                                    + " and asks for " + group.ask().describe()));
                }
            }
        }
        if (!count.isEmpty()) {
            faults.put(job, new Fault("job " + job + " has tasks of groups " + count.keySet() + ", which it has not"));
        }
    }

    @Override
    public void settled(long nowMs) {
        faults.values().stream().findFirst().ifPresent(fault -> {
            throw new BrokenRuleException(nowMs, fault.text());
        });
    }

    @Override
    public String words() {
        return String.format(Locale.ROOT, "%,d gangs whole", gangs);
    }
}
