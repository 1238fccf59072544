// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** Jobs with servers on several nodes: each task comes to the node that the plan names. */
class ServersOverNodesTest {
    /** Where each job's tasks are meant to be. */
    private static void note(Plan plan, Map<String, List<String>> places) {
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Run run) {
                places.put(run.jobId(), sorted(run.tasks()));
            } else if (decision instanceof Decision.Move move) {
                places.put(move.jobId(), sorted(move.tasks()));
            }
        }
    }

    private static List<String> sorted(List<TaskPlacement> tasks) {
        return tasks.stream()
                .map(task -> task.group() + " on " + task.nodeId())
                .sorted()
                .toList();
    }

    @Test
    void aJobStartsGrowsAndShrinksWhereThePlanSaysAndNoNodeIsOvercommitted() throws Exception {
        Map<String, List<String>> planned = new ConcurrentHashMap<>();
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            YarnConfiguration conf = zooKeeper.settings(false, "smd");
            SizedJob.trust(conf);
            conf.set("yarn.scheduler.treadle.smd.trim-delta", "0");
            conf.set("yarn.scheduler.treadle.smd.capacity-factor", "1");
            conf.set("yarn.scheduler.treadle.smd.interval-ms", "200");
            conf.set("yarn.scheduler.treadle.power.rescale-seconds", "1");
            try (SchedulerHarness cluster = SchedulerHarness.start(
                    conf, policy -> new WatchedPolicy(policy, snapshot -> {}, plan -> note(plan, planned)))) {
                List<MockNM> nodes = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    MockNM node = cluster.node(1001 + i, 2, 5, 8192);
                    zooKeeper.devices(cluster, node, "A100", 2);
                    nodes.add(node);
                }
                // Its cap leaves the guest half of the GPUs: three workers and two servers, then six workers.
                SizedJob guest = SizedJob.obedient(
                        zooKeeper, cluster, "ml", SizedJob.spec(1000, ResourceVector.of(3, 5, 0), 2), nodes.get(0));
                await(cluster, "3 + 2", guest);
                SizedJob job = SizedJob.obedient(
                        zooKeeper, cluster, "ml", SizedJob.spec(1, ResourceVector.ZERO, 1), nodes.get(0));
                await(cluster, "3 + 3", job, guest);
                check(planned, nodes, job, guest);
                guest.end();
                await(cluster, "6 + 6", job);
                check(planned, nodes, job);
                SizedJob dear = SizedJob.obedient(
                        zooKeeper, cluster, "ml", SizedJob.spec(1000, ResourceVector.of(3, 5, 0), 2), nodes.get(0));
                await(cluster, "3 + 2", dear, job);
                await(cluster, "3 + 3", job, dear);
                check(planned, nodes, job, dear);
            }
        }
    }

    private static void await(SchedulerHarness cluster, String size, SizedJob job, SizedJob... others)
            throws Exception {
        try {
            cluster.awaitTrue(size, () -> {
                cluster.heartbeat();
                for (SizedJob other : others) {
                    other.beat();
                }
                job.beat();
                return job.size().equals(size);
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; it has " + job.size() + " and " + job.reason(), e);
        }
    }

    private static void check(Map<String, List<String>> planned, List<MockNM> nodes, SizedJob... jobs) {
        Map<String, Long> tasks = new TreeMap<>();
        for (SizedJob job : jobs) {
            assertEquals(planned.get(job.id.toString()), job.places());
            nodes.forEach(node -> tasks.merge(node.getNodeId().toString(), job.on(node.getNodeId()), Long::sum));
        }
        // Of five vcores; ApplicationMasters hold some.
        tasks.forEach((node, count) -> assertEquals(true, count <= 5, node + " has " + count + " tasks"));
    }
}
