// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Consolidate;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.BrokenPlanException;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of somebody else's in the registry. */
class PolicyPluginTest {
    private static final ResourceVector GPU = ResourceVector.of(1, 0, 0);

    /** Gives every job a GPU of the one node, however many jobs there are. */
    private record Generous() implements Policy {
        @Override
        public String name() {
            return "generous";
        }

        @Override
        public Plan plan(Snapshot snapshot) {
            return new Plan(snapshot.jobs().stream()
                    .<Decision>map(job -> new Decision.Run(
                            job.id(),
                            List.of(new TaskPlacement("worker", "n", GPU, List.of())),
                            Map.of(),
                            new Reason.Told("why not")))
                    .toList());
        }
    }

    private static PolicyPlugin named(String name) {
        return new PolicyPlugin() {
            @Override
            public Map<String, Function<Placement, Policy>> policies() {
                return Map.of(name, placement -> new Generous());
            }
        };
    }

    private static JobView job(String id) {
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("worker", 1, 1, GPU, Set.of())),
                List.of(),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
    }

    @Test
    void aPlanThatBreaksARuleIsNotCarriedOut() {
        PolicyRegistry registry = PolicyRegistry.BUILT_IN.with(List.of(named("generous")));
        NodeView node = new NodeView("n", "", GPU, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        Session session = registry.policy("generous", new Consolidate())
                .open(new Snapshot(
                        0,
                        List.of(node),
                        new QueueView("q", GPU, ResourceVector.ZERO),
                        List.of(),
                        ResourceVector.ZERO,
                        false));
        session.waits(job("a"));
        assertEquals(1, session.decide(0).size());
        session.waits(job("b"));
        BrokenPlanException e = assertThrows(BrokenPlanException.class, () -> session.decide(1));
        assertTrue(
                e.toString().contains("policy 'generous' has made a plan that breaks 2 rules, the first: node n has"),
                e.toString());
    }

    @Test
    void oursAndTheirsStandSideBySide() {
        PolicyRegistry registry = PolicyRegistry.BUILT_IN.with(List.of(named("generous")));
        assertEquals("generous", registry.policy("generous", new Consolidate()).name());
        assertEquals(
                "srtf+synergy-tune",
                registry.policy("srtf+synergy-tune", new Consolidate()).name());
        assertThrows(
                IllegalArgumentException.class,
                () -> PolicyRegistry.BUILT_IN.policy("generous", new Consolidate()),
                "the built-in ones stay as they are");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "My-Policy", "a+b", "a/b", "-a", "a b"})
    void aNameThatIsNoneIsRefused(String name) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> PolicyRegistry.BUILT_IN.with(List.of(named(name))));
        assertTrue(e.toString().contains("policy '" + name + "' must be of small letters"), e.toString());
    }

    @Test
    void aNameThatIsThereAlreadyIsRefused() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> PolicyRegistry.BUILT_IN.with(List.of(named("fifo"))));
        assertTrue(e.toString().contains("policy 'fifo' is there already"), e.toString());
    }
}
