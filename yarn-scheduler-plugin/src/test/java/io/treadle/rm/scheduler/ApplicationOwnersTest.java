// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.rm.bridge.ApplicationOwners;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.power.Owner;
import io.treadle.rm.power.Owners;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;

/** Accounts of energy go by full paths of queues: two leaf queues may have the same last name. */
class ApplicationOwnersTest {
    @Test
    void queueIsToldByItsFullPath() throws Exception {
        Configuration conf = SchedulerHarness.settings(false, "fifo");
        queues(conf, "root", "ml", "plain", "a", "b");
        queues(conf, "root.a", "x");
        queues(conf, "root.b", "x", "y");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            Owners owners = new ApplicationOwners(
                    new GangTable(), cluster.scheduler().access(), cluster.resourceManager.getRMContext());
            ApplicationId first = cluster.submit("root.a.x", Map.of());
            ApplicationId second = cluster.submit("root.b.x", Map.of());
            ApplicationId third = cluster.submit("y", Map.of());
            for (boolean runs : new boolean[] {false, true}) {
                if (runs) {
                    MockNM node = cluster.node(1001, 0, 8, 8192);
                    cluster.startApp(first, List.of(), node);
                    cluster.startApp(second, List.of(), node);
                    cluster.startApp(third, List.of(), node);
                }
                assertEquals(Optional.of("root.a.x"), queue(owners, first));
                assertEquals(Optional.of("root.b.x"), queue(owners, second));
                assertEquals(Optional.of("root.b.y"), queue(owners, third));
            }
            cluster.resourceManager.killApp(first);
            cluster.resourceManager.waitForState(first, RMAppState.KILLED);
            assertEquals(Optional.empty(), queue(owners, first));
        }
    }

    private static Optional<String> queue(Owners owners, ApplicationId application) {
        return owners.of(application.toString()).map(Owner::queue);
    }

    private static void queues(Configuration conf, String parent, String... children) {
        String prefix = "yarn.scheduler.capacity.";
        conf.set(prefix + parent + ".queues", String.join(",", children));
        for (String child : children) {
            conf.set(prefix + parent + "." + child + ".capacity", Integer.toString(100 / children.length));
            conf.set(prefix + parent + "." + child + ".maximum-capacity", "100");
        }
    }
}
