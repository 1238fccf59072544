// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** A container that gets less of one resource and more of another. */
class TwoWayResizeTest {
    /** YARN knows no such update: it takes two, and the second follows as soon as the first is fetched. */
    @Test
    void itGrowsAtOnceWhenItHasShrunk() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        // The planner stays away: this test does its work by hand, in one millisecond.
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 1, 9, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 4, 512), node);
            Gang gang = cluster.scheduler()
                    .gangs()
                    .find(am.getApplicationAttemptId().getApplicationId())
                    .orElseThrow();
            TaskPlacement task =
                    new TaskPlacement("worker", node.getNodeId().toString(), ResourceVector.of(1, 4, 512), List.of());
            assertEquals(
                    Optional.empty(), PlannedByHand.commit(cluster.scheduler().access(), gang, List.of(task)));
            Container container = cluster.awaitRunning(am);

            ContainerResizer resizer = PlannedByHand.resizer(cluster.scheduler().access());
            Map<String, ResourceVector> sizes = Map.of(container.getId().toString(), ResourceVector.of(1, 2, 1024));
            assertEquals(1, resizer.shrink(gang, sizes, 0));
            assertEquals(0, resizer.grow(gang, sizes, 0), "the ApplicationMaster has not fetched it");
            cluster.pull(am);
            assertEquals(ResourceVector.of(1, 2, 512), size(cluster, container));
            // What it gave back is released by an event of its own. The clock stands: nothing is forgotten for its age.
            cluster.awaitTrue("it grows", () -> {
                cluster.heartbeat();
                return resizer.grow(gang, sizes, 0) == 1;
            });
            cluster.pull(am);
            assertEquals(ResourceVector.of(1, 2, 1024), size(cluster, container));
            assertEquals(0, resizer.shrink(gang, sizes, 0) + resizer.grow(gang, sizes, 0), "it is as planned");
        }
    }

    private static ResourceVector size(SchedulerHarness cluster, Container container) {
        return YarnResources.vector(
                cluster.scheduler().getRMContainer(container.getId()).getAllocatedResource());
    }
}
