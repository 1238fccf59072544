// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.GangSpec;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.RMActiveServiceContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.util.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A ResourceManager that starts anew while jobs run. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class RestartTest {
    private final boolean asynchronous;

    RestartTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    /** A clock that stands, and counts how often the planner has asked it. */
    private static final class PlannersClock implements Clock {
        final AtomicInteger asked = new AtomicInteger();
        final AtomicLong nowMs = new AtomicLong(1_000_000);

        @Override
        public long getTime() {
            if (Thread.currentThread().getName().equals("treadle-planner")) {
                asked.incrementAndGet();
            }
            return nowMs.get();
        }
    }

    @Test
    void nothingIsGrantedUntilTheNodesHadTimeToReport() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            GangSpec spec = SchedulerHarness.gang(2, 1, 1, 512);
            MockAM am = cluster.startApp(cluster.submit("ml", spec.toProperties()), List.of(), node);
            PlannersClock clock = new PlannersClock();
            recoversNow(cluster, clock);
            am.allocate(SchedulerHarness.requests(spec), List.of());
            cluster.awaitTrue("the planner has looked several times", () -> clock.asked.get() > 3);
            assertEquals(List.of(), cluster.pull(am));
            assertEquals(0, cluster.used().gpus());

            clock.nowMs.addAndGet(60_001);
            assertEquals(2, cluster.awaitContainers(am).size());
        }
    }

    /** As at the end of Hadoop's recovery: nothing is to be allocated for a minute of this clock. */
    private static void recoversNow(SchedulerHarness cluster, Clock clock) throws ReflectiveOperationException {
        RMContextImpl context = (RMContextImpl) cluster.resourceManager.getRMContext();
        context.setSystemClock(clock);
        context.setSchedulerRecoveryStartAndWaitTime(60_000);
        Field ready = RMActiveServiceContext.class.getDeclaredField("isSchedulerReady");
        ready.setAccessible(true);
        ready.set(context.getActiveServiceContext(), false);
    }

    @Test
    void nodeIsNeverSeenWithoutWhatRunsOnIt() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo"))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            RMNode known = cluster.resourceManager.getRMContext().getRMNodes().get(node.getNodeId());
            Field field = AbstractYarnScheduler.class.getDeclaredField("writeLock");
            field.setAccessible(true);
            var lock = (ReentrantReadWriteLock.WriteLock) field.get(cluster.scheduler());
            AtomicInteger lockedBetween = new AtomicInteger();
            // CapacityScheduler asks for the reports when the node is added and they are not yet recovered.
            cluster.scheduler().handle(new NodeAddedSchedulerEvent(known) {
                @Override
                public List<NMContainerStatus> getContainerReports() {
                    lockedBetween.set(lock.isHeldByCurrentThread() ? 1 : 0);
                    return List.of();
                }
            });
            assertTrue(lockedBetween.get() == 1, "the lock is held from one to the other");
        }
    }
}
