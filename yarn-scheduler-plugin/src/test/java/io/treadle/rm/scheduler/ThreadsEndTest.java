// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a ResourceManager starts for Treadle ends with it, and so with its time as the active one. */
class ThreadsEndTest {
    @Test
    void noThreadIsLeftWhenTheResourceManagerStops() throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            zooKeeper.write("/before", "the test's own client has its threads");
            Set<Thread> before = OurThreads.all();
            Set<Thread> left = new HashSet<>();
            @Nullable SchedulerHarness waits = null;
            for (int i = 0; i < 3; i++) {
                try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo+synergy-tune")) {
                    waits = cluster;
                    MockAM am = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), cluster.node(1001, 2, 9, 8192));
                    cluster.awaitContainers(am);
                }
            }
            Objects.requireNonNull(waits, "no cluster ran").awaitTrue("all threads of ours end", () -> {
                left.clear();
                left.addAll(OurThreads.all());
                left.removeAll(before);
                return left.isEmpty();
            });
        }
    }
}
