// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.smd.SmdRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueSettingsTest {
    private static final String PREFIX = "yarn.scheduler.capacity.";
    private static final String QUEUE = "root.research.vision";

    private final Map<String, String> settings = new HashMap<>();

    @Test
    void defaultPolicyWhereNothingIsSet() {
        assertEquals("srtf+synergy-balanced", policy());
        assertDoesNotThrow(this::check);
    }

    @Test
    void ownPolicyBeforeThatOfTheQueueAbove() {
        set("root.research", "policy", "srtf+proportional");
        set(QUEUE, "policy", "fifo+proportional");
        assertEquals("fifo+proportional", policy());
    }

    @Test
    void policyOfTheNearestQueueAbove() {
        set("root", "policy", "srtf+proportional");
        assertEquals("srtf+proportional", policy());
        set("root.research", "policy", " fifo+synergy-tune ");
        set(QUEUE, "policy", "  ");
        assertEquals("fifo+synergy-tune", policy());
    }

    @Test
    void policyOfAQueueWithALikeNameIsNotInherited() {
        set("root.res", "policy", "fifo+proportional");
        set("root.research.visionary", "policy", "fifo+proportional");
        assertEquals("srtf+synergy-balanced", policy());
    }

    @Test
    void orderAloneMeansProportional() {
        set(QUEUE, "policy", "fifo");
        assertEquals("fifo+proportional", policy());
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative", "tiresias+zeus", "fifo+zeus", "elastic+zeus"})
    void policiesOfPowerRunHere(String name) {
        set("root.research", "policy", name);
        assertEquals(name, policy());
    }

    @ParameterizedTest
    @CsvSource({
        "policy, fastest, unknown order 'fastest'",
        "policy, fifo+fair, unknown allocation 'fair'",
        "placement, anywhere, unknown placement 'anywhere'",
        "preemption, on, is 'on'",
        "migration, maybe, is 'maybe'",
        "utility.max-weight, 0, is '0'",
        "utility.max-weight, -1, is '-1'",
        "utility.max-weight, NaN, is 'NaN'",
        "utility.max-weight, 1e10, is '1e10'",
        "utility.max-weight, much, is 'much'",
        "utility.max-weight, 5d, is '5d'",
    })
    void unknownValueIsRefusedWithSettingValueAndWhatWouldBeRight(String name, String value, String text) {
        set("root.research", name, value);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, this::check);
        assertContains(refused, PREFIX + QUEUE + ".treadle." + name);
        assertContains(refused, text);
        assertContains(refused, "must be");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"policy", "placement", "preemption", "migration", "power-budget-watts", "utility.max-weight"})
    void knownKeysPass(String name) {
        assertDoesNotThrow(() -> QueueSettings.checkKey(PREFIX + QUEUE + ".treadle." + name, path -> false));
        assertDoesNotThrow(() -> QueueSettings.checkKey(
                PREFIX + "root.b.auto-queue-creation-v2.leaf-template.treadle." + name, path -> false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yarn.scheduler.capacity.root.research.capacity",
                // A label, users, a node order, a queue that does not exist, and one below it.
                "yarn.scheduler.capacity.root.accessible-node-labels.treadle.capacity",
                "yarn.scheduler.capacity.root.ml.accessible-node-labels.treadle.maximum-am-resource-percent",
                "yarn.scheduler.capacity.root.ml.user-settings.treadle.weight",
                "yarn.scheduler.capacity.user.treadle.max-parallel-apps",
                "yarn.scheduler.capacity.multi-node-sorting.policy.treadle.class",
                "yarn.scheduler.capacity.multi-node-sorting.policy.treadle.sorting-interval.ms",
                "yarn.scheduler.capacity.root.users.treadle.weight",
                "yarn.scheduler.capacity.root.users.treadle.acl_submit_applications",
                "yarn.scheduler.capacity.root.users.treadle.auto-queue-creation-v2.template.weight",
                "yarn.scheduler.capacity.root.users.treadle.ordering-policy.fair.enable-size-based-weight",
                "yarn.scheduler.capacity.root.users.treadle.small.capacity",
                "yarn.scheduler.treadle.round.min-gap-ms",
                "treadle.profile.max-seconds"
            })
    void keysOfOthersPass(String key) {
        assertDoesNotThrow(() -> QueueSettings.checkKey(key, path -> false));
    }

    @Test
    void mostWeightIsThatOfTheNearestQueueAbove() {
        assertEquals(OptionalDouble.empty(), QueueSettings.mostWeight(QUEUE, settings::get));
        set("root", "utility.max-weight", "3");
        assertEquals(OptionalDouble.of(3), QueueSettings.mostWeight(QUEUE, settings::get));
        set("root.research", "utility.max-weight", " 0.5 ");
        assertEquals(OptionalDouble.of(0.5), QueueSettings.mostWeight(QUEUE, settings::get));
    }

    @Test
    void powerBudgetIsTheQueuesOwn() {
        set("root.research", "power-budget-watts", "2kW");
        set("root.research", "energy-budget", "20 kWh/6h");
        assertEquals(BudgetSetting.NONE, QueueSettings.budget(QUEUE, settings::get));
        assertEquals(
                new BudgetSetting(
                        Optional.of(new PowerLimit(2000, false)), new EnergyBudget(EnergyBudget.Kind.WINDOW, 20, 6)),
                QueueSettings.budget("root.research", settings::get));
        assertEquals(
                Optional.of("root.research"),
                QueueSettings.queueOfBudget(PREFIX + "root.research.treadle.energy-budget"));
        assertEquals(
                Optional.of("root.research"),
                QueueSettings.queueOfBudget(PREFIX + "root.research.treadle.power-budget-watts"));
        assertEquals(Optional.empty(), QueueSettings.queueOfBudget(PREFIX + "root.research.treadle.policy"));
    }

    @Test
    void energyBudgetThatIsNoneIsRefusedWithItsKeyAndValue() {
        set(QUEUE, "energy-budget", "much");
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> QueueSettings.check(QUEUE, settings::get))
                        .getMessage());
        assertTrue(message.startsWith(PREFIX + QUEUE + ".treadle.energy-budget: budget 'much' is none"), message);
    }

    @Test
    void powerBudgetThatIsNoneIsRefusedWithItsKeyAndValue() {
        String key = PREFIX + QUEUE + ".treadle.power-budget-watts";
        set(QUEUE, "power-budget-watts", "120%");
        assertContains(assertThrows(IllegalArgumentException.class, this::check), key + " is '120%', must be watts");
        assertContains(
                assertThrows(IllegalArgumentException.class, () -> QueueSettings.checkValue(key, "lots")),
                key + " is 'lots', must be watts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"polcy", "power-budget", "preemptions", "policy.name", "energy"})
    void misspelledKeyIsRefusedWithThoseThatThereAre(String name) {
        String key = PREFIX + QUEUE + ".treadle." + name;
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> QueueSettings.checkKey(key, path -> false));
        assertContains(refused, key);
        assertContains(
                refused,
                "treadle.policy, treadle.placement, treadle.preemption, treadle.migration, treadle.power-budget-watts");
    }

    @Test
    void queueThatIsCalledTreadleHasSettingsOfItsOwn() {
        assertDoesNotThrow(
                () -> QueueSettings.checkKey(PREFIX + "root.treadle.capacity", path -> path.equals("root.treadle")));
    }

    private void set(String queue, String name, String value) {
        settings.put(PREFIX + queue + ".treadle." + name, value);
    }

    private String policy() {
        return QueueSettings.policy(QUEUE, settings::get).name();
    }

    private void check() {
        QueueSettings.check(QUEUE, settings::get);
    }

    private static void assertContains(IllegalArgumentException refused, String part) {
        String text = String.valueOf(refused.getMessage());
        assertTrue(text.contains(part), () -> "'" + part + "' in: " + text);
    }

    @Test
    void policyOfWorkersAndServersIsTunedByTheClustersSettings() {
        settings.put(PREFIX + QUEUE + ".treadle.policy", "smd");
        PolicyRegistry tuned = PolicyRegistry.BUILT_IN.with(new SmdRules(0.1, 0, 1, 10, 1, 0, 60, true, 1234));
        assertEquals(1234, QueueSettings.policy(QUEUE, tuned, settings::get).intervalMs());
        assertEquals(30_000, QueueSettings.policy(QUEUE, settings::get).intervalMs());
    }
}
