// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.placement.EvenSpread;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the admitted leave, and what is kept back from them. */
class FillUpTest {
    private static final ResourceVector PAIR = PsJobs.WORKER.plus(PsJobs.SERVER);
    private static final long SECOND_MS = 1000;
    /** Worth nothing, and not even a millionth of that. */
    private static final double NOTHING = Double.MIN_VALUE;

    private static JobView job(String id, long submitMs, double weight, double iterations, ResourceVector worker) {
        JobView job = PsJobs.job(
                id,
                PsJobs.resLike().sizing().model().orElseThrow(),
                iterations,
                worker,
                PsJobs.SERVER,
                worker.plus(PsJobs.SERVER).times(64),
                64,
                PsJobs.utility(weight, .1, 36_000));
        return new JobView(id, submitMs, job.groups(), List.of(), Optional.empty(), false, job.progress(), Set.of())
                .withSizing(job.sizing());
    }

    /** What runs on one node of that size. */
    private static String plan(ResourceVector node, List<JobView> jobs) {
        Snapshot snapshot = PsPools.of(node, 1, 100 * SECOND_MS, jobs);
        Plan plan = Objects.requireNonNull(SmdPolicies.all().get("smd"))
                .apply(new EvenSpread())
                .plan(snapshot);
        StringBuilder text = new StringBuilder();
        for (JobView job : jobs) {
            if (plan.of(job.id()).orElseThrow() instanceof Decision.Run run) {
                long workers = run.tasks().stream()
                        .filter(task -> task.group().equals("worker"))
                        .count();
                text.append(String.format(
                        "%s %d+%d ", job.id(), workers, run.tasks().size() - workers));
            }
        }
        return text.toString().strip();
    }

    /** Whoever has waited longest, whatever it gains by that; the dear one has been admitted before. */
    @Test
    void theOldestComesFirst() {
        List<JobView> jobs = List.of(
                job("oldest", 0, NOTHING, 2_000, PsJobs.WORKER),
                job("older", 10 * SECOND_MS, NOTHING, 90_000, PsJobs.WORKER),
                job("young", 20 * SECOND_MS, NOTHING, 90_000, PsJobs.WORKER));
        assertEquals("oldest 1+1", plan(PAIR, jobs));
        assertEquals("oldest 1+1 older 1+1", plan(PAIR.times(2), jobs));
        JobView dear = job("dear", 30 * SECOND_MS, 100, 20_000, PsJobs.WORKER);
        List<JobView> four = List.of(jobs.get(0), jobs.get(1), jobs.get(2), dear);
        assertEquals("dear 1+1", plan(PAIR, four));
    }

    /** Room for one worker more: it goes to who saves most time by it, younger or not. */
    @Test
    void whatIsLeftGoesToWhoSavesMostTime() {
        ResourceVector node = PAIR.times(2).plus(PsJobs.WORKER);
        assertEquals(
                "short 1+1 long 2+1",
                plan(
                        node,
                        List.of(
                                job("short", 0, NOTHING, 10_000, PsJobs.WORKER),
                                job("long", SECOND_MS, NOTHING, 20_000, PsJobs.WORKER))));
        assertEquals(
                "long 2+1 short 1+1",
                plan(
                        node,
                        List.of(
                                job("long", 0, NOTHING, 20_000, PsJobs.WORKER),
                                job("short", SECOND_MS, NOTHING, 10_000, PsJobs.WORKER))));
    }

    /** A worker of two GPUs saves a half more than one of one GPU does, which is less for each GPU. */
    @Test
    void whatIsSavedCountsForThePartThatItTakes() {
        ResourceVector large = PsJobs.WORKER.times(2);
        assertEquals(
                "large 1+1 small 3+1",
                plan(
                        PAIR.times(2).plus(PsJobs.WORKER).plus(large),
                        List.of(
                                job("large", 0, NOTHING, 15_000, large),
                                job("small", SECOND_MS, NOTHING, 10_000, PsJobs.WORKER))));
    }

    private static PsSize size(double factor, JobView job) {
        SmdRules rules = new SmdRules(.05, .05, 1, 1_000_000, factor, .1, 1e9, false, 30_000);
        Pool pool = PsPools.pool(ResourceVector.of(20, 1000, 10_000), 30, List.of(job));
        return SmdChooser.plain(rules).choose(pool).jobs().get(0).size();
    }

    /** A job that could use all GPUs gets 19 of 20 by its size. */
    @Test
    void aTwentiethIsKeptBack() {
        JobView job = job("all", 0, 50, 1e6, PsJobs.WORKER);
        assertEquals(19, size(SmdRules.DEFAULT.capacityFactor(), job).workers());
        assertEquals(20, size(1, job).workers());
    }
}
