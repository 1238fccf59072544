// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.ServerVcores;
import io.treadle.core.job.Sizing;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A recorded round of jobs with workers and servers is planned again as it was. */
class RecordedSizingTest {
    @Test
    void recordedRoundIsPlannedAlike() {
        ResourceVector room = ResourceVector.of(24, 160, 700);
        NodeView node = new NodeView("n0", "rack", room, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        JobView asked = PsJobs.asyncLike();
        JobView runs = PsJobs.running(PsJobs.resLike(), "n0", 2, 2);
        List<JobView> jobs = List.of(
                PsJobs.vggLike().withSizing(PsJobs.vggLike().sizing().with(new ServerVcores(3, OptionalLong.empty()))),
                runs.withSizing(runs.sizing().with(new ServerVcores(4, OptionalLong.of(60)))),
                asked,
                PsJobs.lmLike()
                        .withSizing(Sizing.UNKNOWN.with(asked.sizing().model().orElseThrow())));
        Snapshot snapshot =
                new Snapshot(1000, List.of(node), new QueueView("root.ps", room, ResourceVector.ZERO), jobs, false);
        Policy policy = PolicyRegistry.BUILT_IN.policy("smd", new Auto());
        Plan plan = policy.plan(snapshot);
        String line = SnapshotRecord.of("smd", snapshot, plan).toJson();
        SnapshotRecord read = SnapshotRecord.fromJson("round", line);
        assertEquals(snapshot.jobs(), read.snapshot().jobs());
        assertEquals(plan, policy.plan(read.snapshot()));
        assertFalse(read.changes().isEmpty());
        assertEquals(line, SnapshotRecord.of("smd", read.snapshot(), plan).toJson());
    }

    @Test
    void jobOfWhichNothingIsKnownHasNoSizing() {
        JobView job = PsJobs.vggLike().withSizing(Sizing.UNKNOWN);
        ResourceVector room = ResourceVector.of(1, 1, 1);
        Snapshot snapshot =
                new Snapshot(0, List.of(), new QueueView("root.ps", room, ResourceVector.ZERO), List.of(job), false);
        String line = SnapshotRecord.of("smd", snapshot, Plan.EMPTY).toJson();
        assertFalse(line.contains("sizing"));
        assertEquals(
                List.of(job), SnapshotRecord.fromJson("round", line).snapshot().jobs());
    }
}
