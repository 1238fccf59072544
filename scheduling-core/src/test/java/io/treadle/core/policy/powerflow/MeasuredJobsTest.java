// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import static io.treadle.core.policy.powerflow.PoweredCluster.POWER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are measured just now, jobs of which nobody knows anything, and what the jobs of one queue may draw. */
class MeasuredJobsTest {
    private static Plan plan(String policy, Snapshot snapshot) {
        Plan plan = PolicyRegistry.BUILT_IN.policy(policy, new Auto()).plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan), policy);
        return plan;
    }

    private static JobView changed(JobView job, boolean profiling, Optional<EnergyProfile> energy) {
        return new JobView(
                job.id(),
                job.submitMs(),
                job.groups(),
                job.tasks(),
                job.profile(),
                profiling,
                job.progress(),
                job.avoidedNodes(),
                job.foretoldSeconds(),
                job.priority(),
                energy);
    }

    private static JobView measured(String id, int gpus, long watts, int node) {
        JobView job = PoweredCluster.job(id, PoweredCluster.scaling(8), 1e6);
        return changed(PoweredCluster.running(job, gpus, watts, node), true, Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative", "fifo+zeus", "tiresias+zeus", "elastic+zeus", "pollux"})
    void aJobThatIsMeasuredStaysAsItIs(String policy) {
        JobView measured = measured("m", 4, 0, 0);
        List<JobView> jobs = new ArrayList<>(List.of(measured));
        for (int i = 0; i < 6; i++) {
            jobs.add(PoweredCluster.job("short" + i, PoweredCluster.scaling(8), 10 + i));
        }
        Plan plan = plan(policy, PoweredCluster.of(1, POWER, jobs));
        Decision decision = plan.of("m").orElseThrow();
        assertEquals(Map.of(), assertInstanceOf(Decision.Resize.class, decision).sizes());
        assertInstanceOf(Reason.Profiling.class, decision.reason());
        long others = jobs.stream()
                .skip(1)
                .map(job -> plan.of(job.id()).orElseThrow())
                .filter(d -> d instanceof Decision.Run)
                .mapToLong(d -> ((Decision.Run) d).tasks().size())
                .sum();
        assertEquals(4, others);
    }

    @Test
    void whatMeasuredJobsMayDrawIsTakenOffTheLimit() {
        // A node of 450 W, eight GPUs that idle at 55 W: 890 W. Four at 400 W: 1,380 W more.
        JobView waits = PoweredCluster.job("w", PoweredCluster.scaling(1), 100);
        double needed = waits.energy().orElseThrow().watts(0, 0) - 55;
        PowerView power = POWER.withLimit(890 + 1380 + needed - 1);
        assertInstanceOf(
                Decision.Wait.class,
                plan("powerflow", PoweredCluster.of(1, power, List.of(measured("m", 4, 0, 0), waits)))
                        .of("w")
                        .orElseThrow());
        // Also under a cap that is tried just now: it comes back from it.
        assertInstanceOf(
                Decision.Wait.class,
                plan("powerflow", PoweredCluster.of(1, power, List.of(measured("m", 4, 300, 0), waits)))
                        .of("w")
                        .orElseThrow());
        assertInstanceOf(
                Decision.Run.class,
                plan(
                                "powerflow",
                                PoweredCluster.of(
                                        1,
                                        power.withLimit(890 + 1380 + needed + 1),
                                        List.of(measured("m", 4, 300, 0), waits)))
                        .of("w")
                        .orElseThrow());
    }

    /** A budget that falls while jobs are measured holds for them, too: the later one makes way. */
    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative"})
    void measuredJobsThatALimitHasNoRoomForMakeWay(String policy) {
        List<JobView> jobs = List.of(measured("first", 4, 0, 0), measured("second", 4, 240, 0));
        // 890 W and, above idle, 8 x 345 W, whatever is tried; two in a hundred more are let be.
        double all = 890 + 8 * 345;
        Plan within = plan(policy, PoweredCluster.of(1, POWER.withLimit(all / 1.02 + 1), jobs));
        assertInstanceOf(Decision.Resize.class, within.of("first").orElseThrow());
        assertInstanceOf(Decision.Resize.class, within.of("second").orElseThrow());
        Plan over = plan(policy, PoweredCluster.of(1, POWER.withLimit(all / 1.02 - 1), jobs));
        assertInstanceOf(Decision.Resize.class, over.of("first").orElseThrow());
        assertInstanceOf(Decision.Stop.class, over.of("second").orElseThrow());
        Plan ofQueue = plan(policy, PoweredCluster.of(1, POWER.withJobsLimit(1600), jobs));
        assertInstanceOf(Decision.Resize.class, ofQueue.of("first").orElseThrow());
        assertInstanceOf(Decision.Stop.class, ofQueue.of("second").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative"})
    void theGpusOfTheJobsDrawNoMoreThanTheirQueueMay(String policy) {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(4);
            double most = 100 + 6000 * random.nextDouble();
            List<JobView> jobs = PoweredCluster.random(random, nodes, 1 + random.nextInt(20));
            Snapshot snapshot = PoweredCluster.of(nodes, POWER.withJobsLimit(most), jobs);
            Plan plan = plan(policy, snapshot);
            double watts = 0;
            for (JobView job : jobs) {
                watts += watts(job, plan.of(job.id()).orElseThrow());
            }
            assertTrue(watts <= most + 1e-6, policy + ", seed " + seed + ": " + watts + " W of " + most + " W");
        }
    }

    private static double watts(JobView job, Decision decision) {
        EnergyProfile energy = job.energy().orElseThrow();
        List<ResourceVector> sizes = decision instanceof Decision.Run run
                ? run.tasks().stream().map(TaskPlacement::size).toList()
                : decision instanceof Decision.Move move
                        ? move.tasks().stream().map(TaskPlacement::size).toList()
                        : List.copyOf(decision.sizes().values());
        return sizes.isEmpty()
                ? 0
                : energy.watts(
                        energy.sizeOf(sizes.size()), energy.capOf(sizes.get(0).watts()));
    }

    @Test
    void aJobOfWhichNothingIsKnownKeepsItsGpus() {
        JobView unknown = changed(
                PoweredCluster.running(PoweredCluster.job("u", PoweredCluster.scaling(8), 100), 4, 0, 0),
                false,
                Optional.empty());
        Decision decision = plan("powerflow", PoweredCluster.of(1, POWER, List.of(unknown)))
                .of("u")
                .orElseThrow();
        assertInstanceOf(Decision.Resize.class, decision);
        assertEquals(
                List.of(0L),
                decision.sizes().values().stream()
                        .map(ResourceVector::watts)
                        .distinct()
                        .toList());
    }

    @Test
    void aJobThatAsksForWattsGetsNoLess() {
        JobView job = PoweredCluster.job("j", PoweredCluster.scaling(1), 1e5);
        JobView asks = new JobView(
                job.id(),
                0,
                List.of(new TaskGroup(
                        "worker", 1, 1, ResourceVector.of(1, 4, 1024).withWatts(390), Set.of())),
                List.of(new RunningTask(
                        "t", "worker", "n0", ResourceVector.of(1, 4, 1024).withWatts(390), List.of())),
                job.profile(),
                false,
                job.progress(),
                job.avoidedNodes(),
                job.foretoldSeconds(),
                0,
                job.energy());
        Decision decision = plan("powerflow", PoweredCluster.of(1, POWER.withPrice(1e-2), List.of(asks)))
                .of("j")
                .orElseThrow();
        assertEquals(
                List.of(390L),
                decision.sizes().values().stream().map(ResourceVector::watts).toList());
    }
}
