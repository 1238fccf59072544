// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.GangSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A gang takes its sizes from its submission: YARN's limits for one container hold for it all the same. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class SubmissionLimitsTest {
    private final boolean asynchronous;

    SubmissionLimitsTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private YarnConfiguration atMostThreeVcores() {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.setInt("yarn.scheduler.capacity.root.ml.maximum-allocation-vcores", 3);
        conf.setInt("yarn.scheduler.capacity.root.ml.maximum-allocation-mb", 4096);
        return conf;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 512, 'asks for 1 GPU, 512 MiB for each task, a container has at least 1 vcore, 1 MiB'",
        "4, 512, 'asks for 1 GPU, 4 vcores, 512 MiB for each task, the largest container of queue ''root.ml'' has"
                + " 3 vcores'",
        "4, 5000, 'asks for 1 GPU, 4 vcores, 5000 MiB for each task, the largest container of queue ''root.ml'' has"
                + " 3 vcores, 4096 MiB'",
    })
    void taskOfASizeThatYarnNeverGivesIsRefused(long vcores, long memoryMiB, String why) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(atMostThreeVcores())) {
            cluster.node(1001, 2, 16, 8192);
            ApplicationId id = cluster.submit(
                    "ml", SchedulerHarness.gang(1, 1, vcores, memoryMiB).toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.FAILED);
            String diagnostics = cluster.app(id).getDiagnostics().toString();
            assertTrue(diagnostics.contains("treadle: task group 'worker' " + why), diagnostics);
            assertTrue(cluster.scheduler().gangs().isEmpty());
        }
    }

    @Test
    void taskBelowTheSmallestContainerIsRoundedUpAsYarnDoes() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(atMostThreeVcores())) {
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 1), cluster.node(1001, 2, 16, 8192));
            for (Container member : cluster.awaitContainers(am)) {
                assertEquals(64, member.getResource().getMemorySize());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "treadle.utility.weight, NaN, a number above 0 and at most 1000000000",
        "treadle.utility.decay-per-hour, -1, a number from 0 to 1000000000",
    })
    void jobWhoseWorthMakesNoSenseIsRefused(String property, String value, String right) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "smd"))) {
            cluster.node(1001, 2, 16, 8192);
            Map<String, String> said =
                    new HashMap<>(SchedulerHarness.gang(1, 1, 1, 512).toProperties());
            said.put(property, value);
            ApplicationId id = cluster.submit("ml", said);
            cluster.resourceManager.waitForState(id, RMAppState.FAILED);
            String diagnostics = cluster.app(id).getDiagnostics().toString();
            assertTrue(
                    diagnostics.contains(
                            "treadle: submission property " + property + " is '" + value + "', must be " + right),
                    diagnostics);
        }
    }

    /** Of queues of the same last name YARN finds none by that name alone: a mapping says which one is meant. */
    @Test
    void gangIsHeldToTheLimitsOfTheQueueThatAMappingSays() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        String prefix = "yarn.scheduler.capacity.";
        conf.set(prefix + "root.queues", "ml,plain,adhoc,users");
        conf.set(prefix + "root.plain.capacity", "30");
        for (String parent : List.of("root.adhoc", "root.users")) {
            conf.set(prefix + parent + ".capacity", "10");
            conf.set(prefix + parent + ".queues", "alice");
            conf.set(prefix + parent + ".alice.capacity", "100");
            conf.set(prefix + parent + ".alice.user-limit-factor", "10");
        }
        conf.setInt(prefix + "root.adhoc.alice.maximum-allocation-vcores", 1);
        conf.setInt(prefix + "root.users.alice.maximum-allocation-vcores", 3);
        conf.set(prefix + "queue-mappings", "u:%user:root.users.alice");
        conf.setBoolean(prefix + "queue-mappings-override.enable", true);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            ApplicationId tooLarge =
                    cluster.submit("alice", SchedulerHarness.gang(1, 1, 4, 512).toProperties());
            cluster.resourceManager.waitForState(tooLarge, RMAppState.FAILED);
            String why = cluster.app(tooLarge).getDiagnostics().toString();
            assertTrue(why.contains("the largest container of queue 'root.users.alice' has 3 vcores"), why);
            GangSpec spec = SchedulerHarness.gang(2, 1, 3, 512);
            MockAM am = cluster.startApp("alice", spec.toProperties(), SchedulerHarness.requests(spec), node);
            assertEquals(2, cluster.awaitContainers(am).size());
        }
    }

    @Test
    void shareIsCutToTheLargestContainerOfTheQueue() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(atMostThreeVcores())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(2, members.size());
            members.forEach(c -> assertEquals(3, c.getResource().getVirtualCores()));
        }
    }
}
