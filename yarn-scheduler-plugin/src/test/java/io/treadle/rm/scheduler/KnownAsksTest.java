// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.PlannedPlacement;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

/** What is asked for is remembered from one question to the next, while other threads ask and change it. */
class KnownAsksTest {
    private static final int CHANGES = 400;
    private static final int RUNS = 200;
    private static final int STEPS = 12;
    private static final SchedulerRequestKey KEY = new SchedulerRequestKey(Priority.newInstance(5), 0, null);

    @Test
    void eachChangeIsSeenAtOnce() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(true, "fifo"))) {
            MockNM node = cluster.node(1001, 0, 1, 512);
            MockAM am = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.ask(am, SchedulerHarness.asks(ResourceVector.of(0, 1, 64), 1));
            FiCaSchedulerApp app = cluster.scheduler().getApplicationAttempt(am.getApplicationAttemptId());
            SchedulerRequestKey key = app.getSchedulerKeys().iterator().next();
            AtomicBoolean done = new AtomicBoolean();
            List<Thread> readers = Stream.generate(() -> new Thread(() -> {
                        while (!done.get()) {
                            var unused = app.getPendingAsk(key, ResourceRequest.ANY);
                        }
                    }))
                    .limit(3)
                    .toList();
            readers.forEach(Thread::start);
            try {
                for (int i = 2; i < CHANGES; i++) {
                    ResourceVector size = ResourceVector.of(0, 1, 64L * (1 + i % 3));
                    cluster.ask(am, SchedulerHarness.asks(size, i));
                    PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
                    assertEquals(i, ask.getCount());
                    assertEquals(i, app.getOutstandingAsksCount(key));
                    assertEquals(size, YarnResources.vector(ask.getPerAllocationResource()));
                }
            } finally {
                done.set(true);
                for (Thread reader : readers) {
                    reader.join();
                }
            }
        }
    }

    @Test
    void eachContainerIsTakenOffAtOnce() throws Exception {
        int room = 40;
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            MockNM node = cluster.node(1001, 0, room + 1, 8192);
            MockAM am = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.ask(am, SchedulerHarness.asks(ResourceVector.of(0, 1, 64), 2 * room));
            FiCaSchedulerApp app = cluster.scheduler().getApplicationAttempt(am.getApplicationAttemptId());
            SchedulerRequestKey key = app.getSchedulerKeys().iterator().next();
            assertEquals(2 * room, app.getPendingAsk(key, ResourceRequest.ANY).getCount());
            for (int granted = 0; granted < room; ) {
                cluster.heartbeat();
                granted = app.getLiveContainers().size() - 1;
                assertEquals(
                        2 * room - granted,
                        app.getPendingAsk(key, ResourceRequest.ANY).getCount());
                assertEquals(2 * room - granted, app.getOutstandingAsksCount(key));
            }
        }
    }

    /** YARN's own allocator of resource requests is the oracle. */
    @Test
    void everyQuestionIsAnsweredAsByYarnsOwn() throws Exception {
        long seed =
                Long.getLong("treadle.asks.seed", ThreadLocalRandom.current().nextLong());
        Random random = new Random(seed);
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            MockNM nm = cluster.node(1001, 0, 4, 8192);
            MockAM am = cluster.startApp("plain", Map.of(), List.of(), nm);
            SchedulerNode node = cluster.scheduler().getNode(nm.getNodeId());
            List<String> names =
                    List.of(ResourceRequest.ANY, node.getRackName(), node.getNodeName(), "/elsewhere", "elsewhere");
            for (int run = 0; run < RUNS; run++) {
                AppPlacementAllocator<SchedulerNode> ours = new PlannedPlacement<>();
                AppPlacementAllocator<SchedulerNode> yarns = new LocalityAppPlacementAllocator<>();
                for (AppPlacementAllocator<SchedulerNode> one : List.of(ours, yarns)) {
                    one.initialize(
                            cluster.scheduler()
                                    .getApplicationAttempt(am.getApplicationAttemptId())
                                    .getAppSchedulingInfo(),
                            KEY,
                            cluster.resourceManager.getRMContext());
                }
                // Most asks name no place.
                List<String> named = run % 2 == 0 ? List.of(ResourceRequest.ANY) : names;
                for (int step = 0; step < STEPS; step++) {
                    assertEquals(answers(yarns, names, node), answers(ours, names, node), "seed " + seed);
                    NodeType type = NodeType.values()[random.nextInt(NodeType.values().length)];
                    if (yarns.canAllocate(type, node) && random.nextBoolean()) {
                        yarns.allocate(KEY, type, node);
                        ours.allocate(KEY, type, node);
                        continue;
                    }
                    List<ResourceRequest> asked = new ArrayList<>();
                    for (String name : named) {
                        if (random.nextBoolean()) {
                            asked.add(ResourceRequest.newInstance(
                                    KEY.getPriority(),
                                    name,
                                    Resource.newInstance(64 * (1 + random.nextInt(3)), 1),
                                    random.nextInt(4),
                                    random.nextBoolean()));
                        }
                    }
                    boolean recovers = random.nextBoolean();
                    yarns.updatePendingAsk(copies(asked), recovers);
                    ours.updatePendingAsk(copies(asked), recovers);
                }
            }
        }
    }

    /** Each counts in its own. */
    private static List<ResourceRequest> copies(List<ResourceRequest> asked) {
        return asked.stream().map(ResourceRequest::clone).toList();
    }

    private static List<Object> answers(
            AppPlacementAllocator<SchedulerNode> allocator, List<String> names, SchedulerNode node) {
        List<Object> answers = new ArrayList<>();
        for (String name : names) {
            PendingAsk ask = allocator.getPendingAsk(name);
            answers.add(name + ": " + ask.getCount() + " × " + ask.getPerAllocationResource() + ", "
                    + allocator.getOutstandingAsksCount(name) + ", " + allocator.canDelayTo(name));
        }
        for (NodeType type : NodeType.values()) {
            answers.add(type + ": " + allocator.canAllocate(type, node));
        }
        answers.add(allocator.getUniqueLocationAsks());
        return answers;
    }
}
