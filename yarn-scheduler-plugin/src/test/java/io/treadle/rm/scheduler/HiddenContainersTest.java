// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static io.treadle.rm.scheduler.RestCaller.by;
import static io.treadle.rm.scheduler.RestCaller.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.web.PowerResource;
import io.treadle.rm.web.TreadleResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** Who holds a device is told to those only who may view the application, whether it is a job of Treadle's or not. */
class HiddenContainersTest {
    private static final String UNKNOWN = "container_1_0001_01_000001";
    private static final String NO_CONTAINER = "a process";

    @Test
    void containersOfApplicationsThatOneMayNotViewAreLeftOut() throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            YarnConfiguration conf = zooKeeper.settings(false, "fifo");
            conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
            conf.set(YarnConfiguration.YARN_ADMIN_ACL, "admin");
            conf.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
            conf.set("yarn.scheduler.capacity.root.ml.acl_administer_queue", "queen");
            conf.set("yarn.scheduler.capacity.root.plain.acl_administer_queue", "king");
            try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
                MockNM node = cluster.node(1001, 2, 8, 8192);
                MockAM gang = cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
                MockAM plain = cluster.startApp(
                        "plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 64), 1), node);
                String ofGang = second(gang);
                String ofPlain = second(plain);
                NodeRecord.Device device = new NodeRecord.Device(
                        "GPU-1",
                        0,
                        "A100",
                        40_960,
                        true,
                        NodeRecord.Health.OK,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        List.of(ofGang, ofPlain, UNKNOWN, NO_CONTAINER));
                String name = node.getNodeId().toString();
                zooKeeper.write(
                        ZkPaths.node(name), new NodeRecord(name, System.currentTimeMillis(), List.of(device)).toJson());

                TreadleResource rest = new TreadleResource(cluster.resourceManager);
                PowerResource power = new PowerResource(cluster.resourceManager);
                cluster.awaitTrue(
                        "the node's record is read",
                        () -> names(json(rest.nodes(by("admin"), "", "")).at("/nodes/0/devices/0/containers"))
                                                .size()
                                        == 4
                                && names(json(power.report(by("admin"), "hour", "", ""))
                                                        .at("/nodes/0/gpus/0/holders"))
                                                .size()
                                        == 4);
                Map<String, List<String>> seen = Map.of(
                        "admin",
                        List.of(ofGang, ofPlain, UNKNOWN, NO_CONTAINER),
                        "king",
                        List.of(ofPlain),
                        "queen",
                        List.of(ofGang),
                        "mallory",
                        List.of());
                seen.forEach((user, containers) -> {
                    assertEquals(
                            new TreeSet<>(containers),
                            names(json(rest.nodes(by(user), "", "")).at("/nodes/0/devices/0/containers")),
                            user);
                    assertEquals(
                            new TreeSet<>(containers),
                            names(json(power.report(by(user), "hour", "", "")).at("/nodes/0/gpus/0/holders")),
                            user);
                });
            }
        }
    }

    private static String second(MockAM master) {
        return ContainerId.newContainerId(Objects.requireNonNull(master.getApplicationAttemptId()), 2)
                .toString();
    }

    private static Set<String> names(JsonNode array) {
        Set<String> names = new TreeSet<>();
        array.forEach(name -> names.add(name.asText()));
        return names;
    }
}
