// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that cannot be used, at the start of the ResourceManager and at {@code yarn rmadmin -refreshQueues}. */
class RefusedSettingsTest {
    private static final String POLICY = "fifo+synergy-tune";

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "yarn.scheduler.capacity.root.ml.treadle.policy | bogus | root.ml.treadle.policy: policy 'bogus': unknown order 'bogus'",
                "yarn.scheduler.capacity.root.ml.treadle.polcy | fifo | unknown setting 'yarn.scheduler.capacity.root.ml.treadle.polcy'",
                "yarn.scheduler.capacity.root.ml.treadle.preemption | on | root.ml.treadle.preemption is 'on', must be 'off'",
                "yarn.scheduler.treadle.smd.epsilon | 2 | yarn.scheduler.treadle.smd.epsilon is '2', must be a number from 0.001 to 1",
                "yarn.scheduler.treadle.policy.failures | 0 | yarn.scheduler.treadle.policy.failures is '0', must be a whole number from 1 to 1000",
            })
    void resourceManagerDoesNotStart(String key, String value, String why) {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        conf.set(key, value);
        Exception refused =
                assertThrows(Exception.class, () -> SchedulerHarness.start(conf).close());
        assertTrue(
                ExceptionUtils.getThrowableList(refused).stream()
                        .anyMatch(e -> String.valueOf(e.getMessage()).contains(why)),
                () -> ExceptionUtils.getStackTrace(refused));
    }

    /** A label, a user, and a queue that does not exist yet; and a policy that a variable names. */
    @Test
    void settingsOfWhatIsCalledTreadleAreNoneOfOurs() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "${site.policy}");
        conf.set("site.policy", POLICY);
        conf.set("yarn.scheduler.capacity.root.accessible-node-labels.treadle.capacity", "100");
        conf.set("yarn.scheduler.capacity.root.ml.accessible-node-labels.treadle.capacity", "100");
        conf.set("yarn.scheduler.capacity.root.ml.user-settings.treadle.weight", "0.5");
        conf.set("yarn.scheduler.capacity.root.users.treadle.weight", "3");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            assertEquals(POLICY, cluster.scheduler().policyName(SchedulerHarness.QUEUE));
            YarnConfiguration changed = new YarnConfiguration(conf);
            changed.set("site.policy", "bogus");
            IOException refused = assertThrows(IOException.class, () -> cluster.scheduler()
                    .reinitialize(changed, cluster.resourceManager.getRMContext()));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("root.ml.treadle.policy: policy 'bogus': unknown order 'bogus'"),
                    String.valueOf(refused.getMessage()));
        }
    }

    @Test
    void refreshRefusesAnUnknownPolicyAndKeepsTheOldOne() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            YarnConfiguration changed = new YarnConfiguration(conf);
            changed.set("yarn.scheduler.capacity.root.ml.treadle.policy", "bogus");
            IOException refused = assertThrows(IOException.class, () -> cluster.scheduler()
                    .reinitialize(changed, cluster.resourceManager.getRMContext()));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("root.ml.treadle.policy: policy 'bogus': unknown order 'bogus'"),
                    String.valueOf(refused.getMessage()));
            assertEquals(POLICY, cluster.scheduler().policyName(SchedulerHarness.QUEUE));
            changed.set("yarn.scheduler.capacity.root.ml.treadle.policy", POLICY);
            String template = "yarn.scheduler.capacity.root.b.auto-queue-creation-v2.template.treadle.policy";
            changed.set(template, "bogus");
            refused = assertThrows(IOException.class, () -> cluster.scheduler()
                    .reinitialize(changed, cluster.resourceManager.getRMContext()));
            assertTrue(String.valueOf(refused.getMessage()).contains(template), String.valueOf(refused.getMessage()));
            changed.unset(template);
            changed.set("yarn.scheduler.capacity.root.ml.treadle.policy", "srtf");
            cluster.scheduler().reinitialize(changed, cluster.resourceManager.getRMContext());
            assertEquals("srtf+proportional", cluster.scheduler().policyName(SchedulerHarness.QUEUE));
        }
    }

    /**
     * A queue that a refused refresh has added would be open, and YARN could not go back to the configuration before: nor would a later
     * one be taken that does not name the queue.
     */
    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "ml.treadle.polcy | fifo | unknown setting 'yarn.scheduler.capacity.root.ml.treadle.polcy'",
                "new.treadle.policy | bogus | root.new.treadle.policy: policy 'bogus': unknown order 'bogus'",
                "new.treadle.preemption | on | root.new.treadle.preemption is 'on', must be 'off'",
            })
    void refusedRefreshThatAddsAQueueChangesNothing(String key, String value, String why) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            YarnConfiguration changed = with(conf, "new");
            changed.set("yarn.scheduler.capacity.root." + key, value);
            IOException refused = assertThrows(IOException.class, () -> refresh(cluster, changed));
            assertTrue(String.valueOf(refused.getMessage()).contains(why), String.valueOf(refused.getMessage()));
            assertNull(cluster.scheduler().getQueue("root.new"));
            assertEquals(0.5f, cluster.scheduler().getQueue("root.ml").getAbsoluteCapacity());

            YarnConfiguration without = new YarnConfiguration(conf);
            without.set("yarn.scheduler.capacity.root.ml.treadle.policy", "srtf");
            refresh(cluster, without);
            assertEquals("srtf+proportional", cluster.scheduler().policyName(SchedulerHarness.QUEUE));
        }
    }

    /** Its name alone does not make its settings ours. */
    @Test
    void refreshMayAddAQueueThatIsCalledAsWeAre() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, POLICY);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            refresh(cluster, with(conf, "treadle"));
            assertEquals(0.2f, cluster.scheduler().getQueue("root.treadle").getAbsoluteCapacity(), 1e-6f);
        }
    }

    /** A third queue, for which the others have less. */
    private static YarnConfiguration with(YarnConfiguration conf, String queue) {
        YarnConfiguration changed = new YarnConfiguration(conf);
        changed.set("yarn.scheduler.capacity.root.queues", "ml,plain," + queue);
        changed.set("yarn.scheduler.capacity.root.ml.capacity", "40");
        changed.set("yarn.scheduler.capacity.root.plain.capacity", "40");
        changed.set("yarn.scheduler.capacity.root." + queue + ".capacity", "20");
        return changed;
    }

    private static void refresh(SchedulerHarness cluster, YarnConfiguration conf) throws IOException {
        cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
    }
}
