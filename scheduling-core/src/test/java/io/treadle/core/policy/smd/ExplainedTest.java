// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What jobs with workers and servers are told: each line is one sentence, with the numbers that matter. */
class ExplainedTest {
    private static final ResourceVector NODE = ResourceVector.of(8, 64, 256);

    private static NodeView node(String id, ResourceVector others) {
        return new NodeView(id, "/r", NODE, others, ResourceVector.ZERO, List.of(), true);
    }

    private static Decision decision(List<NodeView> nodes, ResourceVector limit, JobView job) {
        Snapshot snapshot =
                new Snapshot(1000, nodes, new QueueView("root.ps", limit, ResourceVector.ZERO), List.of(job), false);
        Plan plan = PolicyRegistry.BUILT_IN.policy("smd", new Auto()).plan(snapshot);
        return plan.of(job.id()).orElseThrow();
    }

    private static void assertReads(String pattern, Decision decision) {
        String text = decision.reason().text();
        assertTrue(text.matches(pattern), text);
    }

    @Test
    void whatOthersHoldIsNoBoundForEver() {
        assertEquals(
                "waits: it needs at least 1 GPU, 6 vcores, of which root.ps may have 5 vcores as long as others hold what they do",
                decision(List.of(node("n0", ResourceVector.of(8, 59, 0))), NODE, PsJobs.resLike())
                        .reason()
                        .text());
        assertEquals(
                "waits: it needs at least 6 vcores, of which root.ps may have 5 vcores as long as others hold what they do",
                decision(List.of(node("n0", ResourceVector.ZERO)), ResourceVector.of(8, 5, 256), PsJobs.resLike())
                        .reason()
                        .text());
    }

    @Test
    void roomInSumIsNoRoom() {
        ResourceVector most = ResourceVector.of(7, 61, 0);
        assertEquals(
                "waits: it needs at least 1 GPU, 6 vcores, 24 MiB; left are 2 GPUs, 6 vcores, 512 MiB in all,"
                        + " but not on nodes with room for each of its tasks, or not for its user",
                decision(List.of(node("n0", most), node("n1", most)), NODE.times(2), PsJobs.resLike())
                        .reason()
                        .text());
    }

    @Test
    void whoShrinksHearsFromWhatToWhat() {
        JobView job = PsJobs.running(PsJobs.resLike(), "n0", 8, 6);
        Decision shrunk = decision(List.of(node("n0", ResourceVector.ZERO)), ResourceVector.of(4, 64, 256), job);
        assertInstanceOf(Decision.Move.class, shrunk);
        assertReads(
                "shrinks from 8 workers and 6 servers to [34] workers and [1-6] servers:"
                        + " others are to have the room, ends in about [0-9.]+ h.*",
                shrunk);
    }

    @Test
    void whoCouldUseMoreHearsWhatItWouldBring() {
        JobView job = PsJobs.running(PsJobs.resLike(), "n0", 4, 4);
        assertReads(
                "has 4 workers and 4 servers, ends in about [0-9.]+ h \\([0-9]+ min sooner with 1 worker( and 1 server)? more,"
                        + " for which there is no room\\); (worth (under )?[0-9.]+|takes what admitted jobs leave)",
                decision(List.of(node("n0", ResourceVector.ZERO)), ResourceVector.of(4, 64, 256), job));
    }

    @Test
    void whoIsToBeMeasuredHearsWithWhat() {
        JobView running = PsJobs.running(PsJobs.resLike(), "n0", 2, 2);
        Utility utility = running.sizing().utility();
        JobView job = running.withSizing(new Sizing(
                utility, Optional.empty(), running.sizing().cap(), Optional.of(new PsSize(3, 1)), Optional.empty()));
        assertEquals(
                "has 2 workers and 2 servers; its speed is to be measured with 3 workers and 1 server, as soon as there is room",
                decision(List.of(node("n0", ResourceVector.ZERO)), ResourceVector.of(2, 64, 256), job)
                        .reason()
                        .text());
    }

    @Test
    void anEndThatNobodyKnowsIsNotForetold() {
        ResourceVector ask = ResourceVector.of(1, 4, 16);
        JobView job = new JobView(
                        "unknown",
                        0,
                        List.of(new TaskGroup("worker", 2, 2, ask, Set.of())),
                        List.of(),
                        Optional.empty(),
                        false,
                        new Progress(0, 0, 0, 0),
                        Set.of())
                .withSizing(
                        new Sizing(new Utility(10, .1, OptionalDouble.empty()), Optional.empty(), Optional.empty()));
        assertReads(
                "has 2 GPUs, 8 vcores, 32 MiB; when it ends is not known \\(no speed yet, or no 'totalSamples'\\);"
                        + " worth [0-9.]+ if it takes as long again as it has had",
                decision(List.of(node("n0", ResourceVector.ZERO)), NODE, job));
    }
}
