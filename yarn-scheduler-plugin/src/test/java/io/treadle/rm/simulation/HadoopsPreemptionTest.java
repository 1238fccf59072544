// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Preemption with the settings that Hadoop ships: a look every three seconds, at most a tenth of the cluster and a fifth of what is
 * missing in each, fifteen seconds of warning. Other tests of the simulation have everything at once.
 */
@Tag("simulation")
class HadoopsPreemptionTest {
    private static final int LONG = 1_000_000;
    private static final int ROUNDS = 60;
    private static final long LOOK_MS = CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MONITORING_INTERVAL;
    /** Five minutes. */
    private static final int MOST_LOOKS = 100;
    /** All that five nodes of eight vcores have beside two ApplicationMasters. */
    private static final int CONTAINERS = 38;

    private static final int OTHER = 0;
    private static final int GANG = 1;

    private static void asHadoopHasThem(YarnConfiguration conf) {
        conf.unset(CapacitySchedulerConfiguration.PREEMPTION_WAIT_TIME_BEFORE_KILL);
        conf.unset(CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND);
        conf.unset(CapacitySchedulerConfiguration.PREEMPTION_NATURAL_TERMINATION_FACTOR);
        conf.unset(CapacitySchedulerConfiguration.PREEMPTION_MAX_IGNORED_OVER_CAPACITY);
    }

    /** Its queue is guaranteed 16 of 40 vcores, of which another queue holds all; its ApplicationMaster has one of them. */
    @ParameterizedTest(name = "asynchronous scheduling {0}, {1} × {2} vcores")
    @CsvSource({"false, 1, 8", "true, 1, 8", "false, 2, 7", "true, 2, 7"})
    void gangGetsWhatItsQueueIsGuaranteedAndNoMoreIsEnded(boolean asynchronous, int tasks, int vcores)
            throws Exception {
        Setting setting = new Setting(asynchronous, true, false, "fifo+proportional", true, 20, 100, 10);
        try (SimulatedCluster cluster = new SimulatedCluster(setting, false, HadoopsPreemptionTest::asHadoopHasThem)) {
            cluster.submit(
                    new Job(OTHER, Job.Kind.PLAIN, "plain", "bob", CONTAINERS, ResourceVector.of(0, 1, 512), LONG));
            SimulatedApplication other = cluster.application(OTHER).orElseThrow();
            for (int i = 0; i < ROUNDS && other.held().size() < CONTAINERS; i++) {
                round(cluster);
            }
            assertEquals(CONTAINERS, other.held().size());
            cluster.submit(new Job(GANG, Job.Kind.GANG, "ml", "alice", tasks, ResourceVector.of(0, vcores, 512), LONG));
            SimulatedApplication gang = cluster.application(GANG).orElseThrow();
            Set<ContainerId> ended = new HashSet<>();
            int looks = 0;
            while (gang.held().isEmpty()) {
                assertTrue(looks < MOST_LOOKS, () -> "the gang waits after five minutes; ended are " + ended);
                Set<ContainerId> before = Set.copyOf(other.held().keySet());
                round(cluster);
                before.stream()
                        .filter(container -> !other.held().containsKey(container))
                        .forEach(ended::add);
                looks++;
            }
            for (int i = 0; i < ROUNDS; i++) {
                round(cluster);
            }
            assertEquals(tasks, gang.held().size());
            assertEquals(vcores * tasks, ended.size());
            assertEquals(CONTAINERS - vcores * tasks, other.held().size(), "and none after it has started");
        }
    }

    private static void round(SimulatedCluster cluster) throws Exception {
        new Event.Everybody().happen(cluster);
        cluster.drain();
        cluster.preempt();
        cluster.drain();
        cluster.time.advance(LOOK_MS);
    }
}
