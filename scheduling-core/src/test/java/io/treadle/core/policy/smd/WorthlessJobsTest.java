// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.Utility;
import io.treadle.core.placement.EvenSpread;
import io.treadle.core.plan.Certificate;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody loses or gains anything by who runs: then all that there is goes to who has waited longest. */
class WorthlessJobsTest {
    private static final long HOUR_MS = 3_600_000;
    /** So small that a millionth of it, which ranks late jobs, is 0. */
    private static final Utility NOTHING = PsJobs.utility(Double.MIN_VALUE, 1000, 0);

    private static final Utility LONG_PAST = PsJobs.utility(50, 1000, 60);

    private static List<JobView> jobs(Utility utility) {
        Random random = new Random(61);
        return IntStream.range(0, 30)
                .mapToObj(i -> PsJobs.random("j" + i, random))
                .map(job -> job.withSizing(
                        new Sizing(utility, job.sizing().model(), job.sizing().cap())))
                .toList();
    }

    private static Plan plan(String name, Snapshot snapshot) {
        Plan plan = Objects.requireNonNull(SmdPolicies.all().get(name))
                .apply(new EvenSpread())
                .plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan), name);
        Certificate certificate = plan.certificate().orElseThrow();
        assertTrue(Double.isFinite(certificate.value()), certificate.toString());
        assertTrue(Double.isFinite(certificate.bound()), certificate.toString());
        assertTrue(certificate.gap() >= 0 && certificate.gap() <= 1, certificate.toString());
        assertTrue(certificate.value() >= 0 && certificate.value() <= certificate.bound(), certificate.toString());
        assertFalse(certificate.text().contains("NaN"), certificate.text());
        return plan;
    }

    /** After an hour, when no job has waited so long that it would get what it needs by that; and after 300. */
    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth"})
    void theyRunAllTheSame(String name) {
        for (Utility utility : List.of(NOTHING, LONG_PAST)) {
            for (long hours : new long[] {1, 300}) {
                Plan plan = plan(name, PsPools.of(2, hours * HOUR_MS, jobs(utility)));
                String where = name + ", " + utility + " after " + hours + " h";
                assertNobodyWaitsWhoFits(jobs(utility), plan, where);
                if (utility.equals(NOTHING) || hours == 300) {
                    assertInstanceOf(Decision.Run.class, plan.of("j0").orElseThrow(), where);
                }
            }
        }
    }

    /** Wherever a worker of who waits has room, its server has none. */
    private static void assertNobodyWaitsWhoFits(List<JobView> jobs, Plan plan, String where) {
        Map<String, ResourceVector> left = new HashMap<>(Map.of("n0", PsPools.NODE, "n1", PsPools.NODE));
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Run run) {
                run.tasks().forEach(task -> left.merge(task.nodeId(), task.size(), ResourceVector::minus));
            }
        }
        for (JobView job : jobs) {
            if (plan.of(job.id()).orElseThrow() instanceof Decision.Wait) {
                ResourceVector worker = job.group("worker").ask();
                ResourceVector server = job.group("ps").ask();
                boolean fits = left.keySet().stream().anyMatch(of -> left.keySet().stream()
                        .anyMatch(and -> of.equals(and)
                                ? worker.plus(server).fitsIn(left.getOrDefault(of, ResourceVector.ZERO))
                                : worker.fitsIn(left.getOrDefault(of, ResourceVector.ZERO))
                                        && server.fitsIn(left.getOrDefault(and, ResourceVector.ZERO))));
                assertFalse(fits, where + ": " + job.id() + " would fit into " + left);
            }
        }
    }

    /** The knapsack of things that are worth nothing is empty, and its bound is 0. */
    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth", "exact"})
    void nothingIsWorthNothing(String name) {
        Certificate certificate =
                plan(name, PsPools.of(2, HOUR_MS, jobs(NOTHING))).certificate().orElseThrow();
        assertEquals(0, certificate.bound(), 1e-300);
        assertEquals(0, certificate.gap(), 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth", "exact"})
    void noJobsAreWorthNothing(String name) {
        assertEquals(
                0,
                plan(name, PsPools.of(2, HOUR_MS, List.of()))
                        .certificate()
                        .orElseThrow()
                        .bound());
    }
}
