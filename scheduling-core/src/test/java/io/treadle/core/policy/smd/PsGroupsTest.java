// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.EvenSpread;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job as TensorFlow has it: beside workers and servers a chief and an evaluator, of which it has one whatever its size. */
class PsGroupsTest {
    private static final ResourceVector CHIEF = ResourceVector.of(1, 4, 16);
    private static final ResourceVector EVALUATOR = ResourceVector.of(1, 3, 12);

    private static JobView job() {
        JobView pairs = PsJobs.resLike();
        List<TaskGroup> groups = new ArrayList<>(pairs.groups());
        // More of them would be allowed; nobody gives them.
        groups.add(0, new TaskGroup("chief", 1, 2, CHIEF, Set.of()));
        groups.add(new TaskGroup("evaluator", 1, 3, EVALUATOR, Set.of()));
        Sizing sizing = pairs.sizing();
        return new JobView("tf", 0, groups, List.of(), Optional.empty(), false, pairs.progress(), Set.of())
                .withSizing(new Sizing(
                        sizing.utility(), sizing.model(), sizing.cap().map(cap -> cap.plus(CHIEF)
                                .plus(EVALUATOR))));
    }

    private static Decision decided(String name, Snapshot snapshot) {
        Policy policy = Objects.requireNonNull(SmdPolicies.all().get(name)).apply(new EvenSpread());
        Plan plan = policy.plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan), name);
        return plan.of("tf").orElseThrow();
    }

    private static Map<String, Long> counts(List<TaskPlacement> tasks) {
        return tasks.stream().collect(Collectors.groupingBy(TaskPlacement::group, Collectors.counting()));
    }

    /** The cap has room for the two and for 8 workers and 6 servers, which is the best without them. */
    @Test
    void itsSizeIsThatOfItsWorkersAndServers() {
        Decision.Run run = assertInstanceOf(Decision.Run.class, decided("smd-plain", PsPools.of(4, 0, List.of(job()))));
        assertEquals(Map.of("chief", 1L, "worker", 8L, "ps", 6L, "evaluator", 1L), counts(run.tasks()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth", "optimus", "esw", "exact"})
    void ofOthersItHasOneWhateverItsSize(String name) {
        JobView job = job();
        Decision.Run run = assertInstanceOf(Decision.Run.class, decided(name, PsPools.of(2, 0, List.of(job))));
        assertEquals(1, counts(run.tasks()).get("chief"));
        assertEquals(1, counts(run.tasks()).get("evaluator"));
        // And when it runs at its least and there is room for more.
        List<RunningTask> least = new ArrayList<>();
        for (TaskGroup group : job.groups()) {
            least.add(new RunningTask("tf#" + least.size(), group.name(), "n0", group.ask(), List.of()));
        }
        Decision.Move move =
                assertInstanceOf(Decision.Move.class, decided(name, PsPools.of(2, 0, List.of(job.withTasks(least)))));
        assertEquals(1, counts(move.tasks()).get("chief"));
        assertEquals(1, counts(move.tasks()).get("evaluator"));
    }

    /** Room for three of the four, and then for all. */
    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth", "optimus", "esw", "exact"})
    void itStartsWholeOrNotAtAll(String name) {
        ResourceVector all = PsJobs.WORKER.plus(PsJobs.SERVER).plus(CHIEF).plus(EVALUATOR);
        ResourceVector less = all.minus(ResourceVector.of(0, 1, 0));
        assertInstanceOf(Decision.Wait.class, decided(name, PsPools.of(less, 1, 0, List.of(job()))));
        Decision.Run run = assertInstanceOf(Decision.Run.class, decided(name, PsPools.of(all, 1, 0, List.of(job()))));
        assertEquals(Map.of("chief", 1L, "worker", 1L, "ps", 1L, "evaluator", 1L), counts(run.tasks()));
    }
}
