// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.apache.hadoop.test.MetricsAsserts.getIntGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy that fails or never ends, on a real ResourceManager: its queue goes on as plain capacity. */
class FailingPolicyTest {
    private static final int FAILURES = 2;
    private static final GangSpec PAIR = SchedulerHarness.gang(2, 1, 1, 512);

    /** What happens before the policy plans: nothing, at first. */
    private volatile Runnable trouble = () -> {};
    /** How often the policy has come to its end. */
    private final AtomicInteger planned = new AtomicInteger();

    private LogLines log;

    @BeforeEach
    void listen() {
        log = new LogLines(QueuePlanner.class.getName(), Level.WARN);
    }

    @AfterEach
    void listenNoMore() {
        log.close();
    }

    private SchedulerHarness start(boolean asynchronous) {
        return start(asynchronous, 600_000);
    }

    private SchedulerHarness start(boolean asynchronous, int timeoutMs) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.setInt("yarn.scheduler.treadle.policy.failures", FAILURES);
        // Longer than the test: only a refresh tries the policy again.
        conf.setInt("yarn.scheduler.treadle.policy.retry-ms", 86_400_000);
        conf.setInt("yarn.scheduler.treadle.policy.timeout-ms", timeoutMs);
        return SchedulerHarness.start(conf, this::troubled);
    }

    private Policy troubled(Policy policy) {
        return policy.name().startsWith("fifo")
                ? new WatchedPolicy(policy, snapshot -> trouble.run(), plan -> planned.incrementAndGet())
                : policy;
    }

    private static void refresh(SchedulerHarness cluster) throws Exception {
        cluster.scheduler().reinitialize(cluster.resourceManager.getConfig(), cluster.resourceManager.getRMContext());
    }

    private static int plainQueues() {
        return getIntGauge("QueuesPlain", getMetrics("TreadleMetrics"));
    }

    private static List<Container> awaitContainers(SchedulerHarness cluster, MockAM am, int count) throws Exception {
        List<Container> all = new ArrayList<>();
        while (all.size() < count) {
            all.addAll(cluster.awaitContainers(am));
        }
        return all;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void queueBehavesAsPlainCapacityUntilItIsRefreshed(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(asynchronous)) {
            MockNM node = cluster.node(1001, 5, 23, 16384);
            MockAM planned = cluster.startGang(PAIR, node);
            List<Container> before = cluster.awaitContainers(planned);
            cluster.launch(before);

            trouble = () -> {
                throw new IllegalStateException("division by nothing");
            };
            cluster.awaitTrue("the queue is plain", () -> plainQueues() == 1);
            assertEquals(
                    List.of(
                            "Policy fifo+synergy-tune of queue root.ml failed: java.lang.IllegalStateException: division by nothing. What was decided before stands.",
                            "Policy fifo+synergy-tune of queue root.ml failed 2 times in a row, last: java.lang.IllegalStateException: division by nothing. The queue behaves as plain capacity for 86400 s, then the policy is tried again."),
                    log.lines());
            MockAM plain = cluster.startGang(PAIR, node);
            List<Container> asAsked = awaitContainers(cluster, plain, 2);
            assertEquals(
                    List.of(ResourceVector.of(1, 1, 512), ResourceVector.of(1, 1, 512)),
                    asAsked.stream()
                            .map(c -> YarnResources.vector(c.getResource()))
                            .toList(),
                    "CapacityScheduler gives what was asked for");
            cluster.launch(asAsked);
            for (Container container : before) {
                assertEquals(
                        container.getResource(),
                        cluster.scheduler().getRMContainer(container.getId()).getAllocatedResource(),
                        "what was decided before stands");
            }
            // Three are asked for and CapacityScheduler has room for one.
            MockAM part = cluster.startGang(SchedulerHarness.gang(3, 1, 1, 512), node);
            cluster.launch(awaitContainers(cluster, part, 1));

            trouble = () -> {};
            refresh(cluster);
            cluster.awaitTrue("the queue is planned again", () -> plainQueues() == 0);
            MockNM second = cluster.node(1002, 2, 8, 16384);
            List<Container> rest = awaitContainers(cluster, part, 2);
            assertTrue(
                    rest.stream()
                            .allMatch(c -> c.getNodeId().equals(second.getNodeId())
                                    && c.getResource().getVirtualCores() == 4),
                    () -> "the plan completes the gang, with its share of the second node: " + rest);
            assertEquals(2, log.lines().size(), () -> log.lines().toString());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeThatWasReservedWhileTheQueueWasPlainIsOpenAgain(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = start(asynchronous)) {
            MockNM node = cluster.node(1001, 0, 14, 16384);
            // No task finds memory there, and its vcores are why CapacityScheduler counts on room.
            cluster.node(1002, 0, 20, 300);
            trouble = () -> {
                throw new IllegalStateException("division by nothing");
            };
            GangSpec spec = SchedulerHarness.gang(2, 0, 6, 512);
            MockAM gang = cluster.startApp("ml", spec.toProperties(), List.of(), node);
            MockAM other = cluster.startApp(
                    "plain",
                    Map.of(),
                    List.of(ResourceRequest.newBuilder()
                            .priority(Priority.newInstance(5))
                            .resourceName(ResourceRequest.ANY)
                            .capability(Resource.newInstance(512, 9))
                            .numContainers(1)
                            .build()),
                    node);
            List<Container> running = awaitContainers(cluster, other, 1);
            cluster.launch(running);
            gang.allocate(SchedulerHarness.requests(spec), List.of());
            // At most five vcores are free, wherever the ApplicationMasters are, and a task needs six.
            cluster.awaitTrue("CapacityScheduler reserves the node", () -> {
                cluster.heartbeat();
                return cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() != null;
            });
            trouble = () -> {};
            refresh(cluster);
            cluster.awaitTrue("the queue is planned again", () -> plainQueues() == 0);
            cluster.complete(running);
            assertEquals(2, awaitContainers(cluster, gang, 2).size());
            assertTrue(cluster.scheduler().getNode(node.getNodeId()).getReservedContainer() == null);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void policyThatNeverEndsHoldsNobodyUp(boolean asynchronous) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (SchedulerHarness cluster = start(asynchronous, 1000)) {
            MockNM node = cluster.node(1001, 4, 18, 16384);
            trouble = () -> Uninterruptibles.awaitUninterruptibly(end);
            MockAM gang = cluster.startGang(PAIR, node);
            assertEquals(
                    2, awaitContainers(cluster, gang, 2).size(), "after two failures CapacityScheduler grants them");
            cluster.awaitTrue("the queue is plain", () -> plainQueues() == 1);
            assertEquals(
                    List.of(
                            "Policy fifo+synergy-tune of queue root.ml failed: it planned longer than 1000 ms. What was decided before stands.",
                            "Policy fifo+synergy-tune of queue root.ml failed 2 times in a row, last: it still plans for an earlier round. The queue behaves as plain capacity for 86400 s, then the policy is tried again."),
                    log.lines());

            trouble = () -> {};
            int before = planned.get();
            end.countDown();
            // Rounds in which it is still at it would count as failures of the new one.
            cluster.awaitTrue("the policy ends", () -> planned.get() > before);
            refresh(cluster);
            MockAM next = cluster.startGang(PAIR, node);
            List<Container> members = cluster.awaitContainers(next);
            assertEquals(2, members.size(), "the gang comes whole again");
            cluster.awaitTrue("the queue is planned again", () -> plainQueues() == 0);
        } finally {
            end.countDown();
        }
    }

    /** It never ends: the thread that it keeps must not keep the next one from planning. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void policyThatNeverEndsIsReplacedByARefresh(boolean asynchronous) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (SchedulerHarness cluster = start(asynchronous, 1000)) {
            MockNM node = cluster.node(1001, 4, 18, 16384);
            trouble = () -> Uninterruptibles.awaitUninterruptibly(end);
            MockAM gang = cluster.startGang(PAIR, node);
            assertEquals(2, awaitContainers(cluster, gang, 2).size());
            cluster.awaitTrue("the queue is plain", () -> plainQueues() == 1);

            Configuration changed = new Configuration(cluster.resourceManager.getConfig());
            changed.set("yarn.scheduler.capacity.root.ml.treadle.policy", "srtf+synergy-tune");
            cluster.scheduler().reinitialize(changed, cluster.resourceManager.getRMContext());
            MockAM next = cluster.startGang(PAIR, node);
            assertEquals(2, cluster.awaitContainers(next).size(), "the gang comes whole again");
            cluster.awaitTrue("the queue is planned again", () -> plainQueues() == 0);
            // A slow machine may say more of the new one.
            assertTrue(
                    log.lines().stream()
                            .anyMatch(
                                    line -> line.startsWith("Policy fifo+synergy-tune of queue root.ml does not end")),
                    () -> log.lines().toString());
        } finally {
            end.countDown();
        }
    }
}
