// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.impl.LightWeightResource;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

/** Asks take another size while their ApplicationMaster changes how many it asks for. */
class AskSizesTest {
    private static final ResourceVector SIZE = ResourceVector.of(0, 1, 256);

    @Test
    void countThatTheMasterSaysMeanwhileStays() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo"))) {
            MockNM node = cluster.node(1001, 0, 1, 8192);
            MockAM am = cluster.startApp("plain", Map.of(), List.of(), node);
            cluster.ask(am, SchedulerHarness.asks(SIZE, 5));
            FiCaSchedulerApp app = cluster.scheduler()
                    .access()
                    .app(am.getApplicationAttemptId().getApplicationId())
                    .orElseThrow();
            SchedulerRequestKey key = app.getSchedulerKeys().iterator().next();
            AtomicReference<Thread> master = new AtomicReference<>();
            Resource larger = new LightWeightResource(512, 1) {
                @Override
                public long getMemorySize() {
                    // It is compared with the ask's size after the count is read and before it is written.
                    Thread says = new Thread(() -> app.updateResourceRequests(SchedulerHarness.asks(SIZE, 2)));
                    if (master.compareAndSet(null, says)) {
                        says.start();
                        while (says.getState() != Thread.State.TERMINATED && says.getState() != Thread.State.WAITING) {
                            Thread.onSpinWait();
                        }
                    }
                    return super.getMemorySize();
                }
            };
            Method set = Class.forName("io.treadle.rm.bridge.AskSizes")
                    .getDeclaredMethod("set", FiCaSchedulerApp.class, SchedulerRequestKey.class, Resource.class);
            set.setAccessible(true);
            set.invoke(null, app, key, larger);
            Objects.requireNonNull(master.get()).join();
            assertEquals(2, app.getPendingAsk(key, ResourceRequest.ANY).getCount());
        }
    }
}
