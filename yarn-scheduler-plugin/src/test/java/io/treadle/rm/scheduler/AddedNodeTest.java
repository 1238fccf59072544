// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNodes;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.junit.jupiter.api.Test;

/** A node that comes is entered, and then what runs on it: no gang may come between, and others may, as under CapacityScheduler. */
class AddedNodeTest {
    @Test
    void lockIsLetGoBetweenWhereThereIsNoGang() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            MockNM node = cluster.node(1001, 0, 8, 8192);
            assertFalse(isLockHeldBetween(cluster, 1));
            cluster.startGang(SchedulerHarness.gang(1, 0, 1, 256), node);
            assertTrue(isLockHeldBetween(cluster, 2));
        }
    }

    private static boolean isLockHeldBetween(SchedulerHarness cluster, int number) throws ReflectiveOperationException {
        Field field = AbstractYarnScheduler.class.getDeclaredField("writeLock");
        field.setAccessible(true);
        var lock = (ReentrantReadWriteLock.WriteLock) field.get(cluster.scheduler());
        AtomicBoolean held = new AtomicBoolean();
        AtomicBoolean asked = new AtomicBoolean();
        cluster.scheduler()
                .handle(
                        new NodeAddedSchedulerEvent(
                                MockNodes.newNodeInfo(1, Resource.newInstance(1024, 1), number, "other-" + number)) {
                            @Override
                            public List<NMContainerStatus> getContainerReports() {
                                asked.set(true);
                                held.set(lock.isHeldByCurrentThread());
                                return super.getContainerReports();
                            }
                        });
        assertTrue(asked.get());
        return held.get();
    }
}
