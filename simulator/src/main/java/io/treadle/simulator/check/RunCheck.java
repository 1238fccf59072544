// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.RunRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Holds a run to all rules as it goes, from what its journal is told. */
public final class RunCheck implements Journal {
    private final List<Check> checks;
    /** What each job holds. */
    private final Map<JobRun, List<TaskPlacement>> held = new LinkedHashMap<>();
    /** What those jobs held before this moment of which that was told at this moment. */
    private final Map<JobRun, List<TaskPlacement>> before = new LinkedHashMap<>();

    private long nowMs;
    private long moments;
    private long jobs;

    public RunCheck(SimCluster given, RunRules rules) {
        SimCluster cluster = rules.placement().tellsGpusApart() ? given.withNumberedGpus() : given;
        List<Check> all = new ArrayList<>(List.of(
                new CapacityCheck(cluster),
                new DownCheck(),
                new GangCheck(),
                new FlowCheck(),
                WorkCheck.of(rules),
                IdleCheck.of(cluster, rules)));
        if (cluster.sharedStorageMBps() > 0) {
            all.add(new SharedStorageCheck(cluster.sharedStorageMBps()));
        }
        checks = List.copyOf(all);
    }

    @Override
    public void came(JobRun job, long atMs) {
        at(atMs);
        jobs++;
        checks.forEach(check -> check.came(job, atMs));
    }

    @Override
    public void started(JobRun job, long atMs, List<TaskPlacement> tasks) {
        at(atMs);
        changes(job, tasks);
        checks.forEach(check -> check.started(job, atMs));
    }

    @Override
    public void resized(JobRun job, long atMs, List<TaskPlacement> tasks) {
        at(atMs);
        changes(job, tasks);
        checks.forEach(check -> check.resized(job, atMs));
    }

    @Override
    public void moved(JobRun job, long atMs, List<TaskPlacement> tasks) {
        resized(job, atMs, tasks);
    }

    @Override
    public void stopped(JobRun job, long atMs) {
        at(atMs);
        changes(job, List.of());
        checks.forEach(check -> check.paused(job, atMs));
    }

    @Override
    public void returned(JobRun job, long atMs) {
        stopped(job, atMs);
    }

    @Override
    public void ended(JobRun job, long atMs) {
        at(atMs);
        changes(job, List.of());
        checks.forEach(check -> check.ended(job, atMs));
    }

    @Override
    public void nodeDown(String node, long atMs) {
        at(atMs);
        checks.forEach(check -> check.nodeDown(node));
    }

    @Override
    public void nodeUp(String node, long atMs) {
        at(atMs);
        checks.forEach(check -> check.nodeUp(node));
    }

    @Override
    public void leftOut(JobRun job, long atMs) {
        at(atMs);
        checks.forEach(check -> check.leftOut(job, atMs));
    }

    private void changes(JobRun job, List<TaskPlacement> tasks) {
        before.putIfAbsent(job, held.getOrDefault(job, List.of()));
        if (tasks.isEmpty()) {
            held.remove(job);
        } else {
            held.put(job, tasks);
        }
    }

    private void at(long atMs) {
        if (moments == 0 || atMs != nowMs) {
            if (moments > 0) {
                if (atMs < nowMs) {
                    throw new BrokenRuleException(nowMs, "time went back to " + atMs / 1000.0 + " s");
                }
                settle();
            }
            nowMs = atMs;
            moments++;
        }
    }

    private void settle() {
        before.forEach((job, tasks) -> checks.forEach(check -> check.gaveBack(job, tasks)));
        before.keySet().forEach(job -> {
            List<TaskPlacement> tasks = held.getOrDefault(job, List.of());
            checks.forEach(check -> check.took(job, tasks));
        });
        before.clear();
        checks.forEach(check -> check.settled(nowMs));
    }

    /**
     * The run is over.
     *
     * @return what was checked, in one line
     * @throws BrokenRuleException if the run as a whole breaks a rule
     */
    public String finish() {
        settle();
        checks.forEach(check -> check.over(nowMs));
        return String.format(Locale.ROOT, "checked: %,d jobs at %,d moments; ", jobs, moments)
                + checks.stream().map(Check::words).map(Objects::requireNonNull).collect(Collectors.joining("; "));
    }
}
