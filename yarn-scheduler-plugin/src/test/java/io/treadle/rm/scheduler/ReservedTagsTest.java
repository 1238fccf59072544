// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.RejectedSchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody but the scheduler puts a device tag into a container's token. */
class ReservedTagsTest {
    private static final String FORGED = "treadle.dev.GPU-0.all";

    private static YarnConfiguration settings(boolean asynchronous, String handler) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, handler);
        return conf;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void heartbeatWithOneIsRefusedAndTheNextIsAnswered(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, "scheduler"))) {
            MockNM node = cluster.node(1001, 2, 8, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            YarnException refused = assertThrows(
                    YarnException.class,
                    () -> plain.allocate(
                            List.of(),
                            List.of(SchedulerHarness.request(7, Set.of("mine", FORGED), ResourceVector.of(0, 1, 256))),
                            List.of()));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("treadle: allocation tag '" + FORGED
                                    + "' of the scheduling request 7 begins with 'treadle.'"),
                    () -> String.valueOf(refused.getMessage()));
            QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
            assertEquals(0, metrics.getPendingContainers(), "nothing of the heartbeat is carried out");

            cluster.ask(plain, SchedulerHarness.request(8, Set.of("mine"), ResourceVector.of(0, 1, 256)));
            Container container = cluster.awaitContainers(plain).get(0);
            assertEquals(
                    Set.of("mine"),
                    cluster.scheduler().getRMContainer(container.getId()).getAllocationTags());
        }
    }

    @Test
    void jobsOfOursMayNotBringOneEither() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(false, "scheduler"))) {
            MockNM node = cluster.node(1001, 2, 8, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            MockAM am = cluster.startGang(spec, node);
            assertThrows(
                    YarnException.class,
                    () -> am.allocate(
                            List.of(),
                            List.of(SchedulerHarness.request(7, Set.of(FORGED), ResourceVector.of(0, 1, 256))),
                            List.of()));
            assertEquals(1, cluster.awaitContainers(am).size(), "its gang is granted as ever");
        }
    }

    @Test
    void placementProcessorRejectsTheRequest() throws Exception {
        YarnConfiguration conf = settings(false, "placement-processor");
        conf.setInt(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_RETRY_ATTEMPTS, 1);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 8, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            ResourceVector before = cluster.used();
            cluster.ask(plain, SchedulerHarness.request(7, Set.of(FORGED), ResourceVector.of(0, 1, 256)));
            List<RejectedSchedulingRequest> rejected = new ArrayList<>();
            List<Container> granted = new ArrayList<>();
            cluster.awaitTrue("the request is rejected", () -> {
                AllocateResponse answer = cluster.answer(plain);
                rejected.addAll(answer.getRejectedSchedulingRequests());
                granted.addAll(answer.getAllocatedContainers());
                return !rejected.isEmpty();
            });
            assertEquals(7, rejected.get(0).getRequest().getAllocationRequestId());
            assertEquals(List.of(), granted);
            assertEquals(before, cluster.used());
        }
    }
}
