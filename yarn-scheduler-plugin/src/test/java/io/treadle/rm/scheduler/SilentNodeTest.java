// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.GangSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NodeManager that says nothing for a while may be dead, long before YARN gives its node up. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class SilentNodeTest {
    private final boolean asynchronous;

    SilentNodeTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private static final int ROUNDS = 10;

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"srtf+synergy-balanced", "smd"})
    void aGangIsGrantedThereOnceItIsHeardOfAgain(String policy) throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, policy);
        try (SchedulerHarness cluster =
                SchedulerHarness.start(conf, each -> new WatchedPolicy(each, snapshot -> rounds.incrementAndGet()))) {
            MockNM master = cluster.node(1001, 0, 4, 8192);
            MockNM silent = cluster.node(1002, 2, 8, 8192);
            cluster.heartbeat();
            cluster.silence(silent);
            cluster.awaitTrue("it counts as silent", () -> {
                cluster.heartbeat();
                return silentMs(cluster, silent) > 0;
            });
            assertEquals(0, silentMs(cluster, master));
            GangSpec spec = SchedulerHarness.gang(2, 1, 1, 512);
            MockAM am = cluster.startGang(spec, master);
            int until = rounds.get() + ROUNDS;
            cluster.awaitTrue("some rounds", () -> {
                cluster.heartbeat();
                return rounds.get() >= until;
            });
            assertEquals(List.of(), cluster.pull(am));
            cluster.endSilence(silent);
            assertEquals(2, cluster.awaitContainers(am).size());
            assertEquals(0, silentMs(cluster, silent));
        }
    }

    private static long silentMs(SchedulerHarness cluster, MockNM node) {
        return cluster.scheduler().report().nodes().stream()
                .filter(each -> each.node().equals(node.getNodeId().toString()))
                .findFirst()
                .orElseThrow()
                .silentMs();
    }
}
