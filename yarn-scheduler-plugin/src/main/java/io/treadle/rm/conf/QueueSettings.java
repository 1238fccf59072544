// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import io.treadle.core.placement.Placement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyPlugins;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.wire.SizingSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one queue, {@code yarn.scheduler.capacity.<path>.treadle.*}. What a queue does not set it takes from the
 * nearest queue above it that does; only its budgets it shares with those beside it.
 */
public final class QueueSettings {
    public static final String POLICY = "treadle.policy";
    public static final String PLACEMENT = "treadle.placement";
    public static final String PREEMPTION = "treadle.preemption";
    public static final String MIGRATION = "treadle.migration";
    public static final String POWER_BUDGET = "treadle.power-budget-watts";
    public static final String ENERGY_BUDGET = "treadle.energy-budget";
    public static final String MOST_WEIGHT = "treadle.utility.max-weight";

    private static final String PREFIX = "yarn.scheduler.capacity.";
    private static final String MARK = ".treadle.";
    private static final List<String> KNOWN =
            List.of(POLICY, PLACEMENT, PREEMPTION, MIGRATION, POWER_BUDGET, ENERGY_BUDGET, MOST_WEIGHT);

    private QueueSettings() {}

    /**
     * The policy of a queue, of those that are installed.
     *
     * @param lookUp gives the value of a full configuration key, or null
     * @throws IllegalArgumentException if a value is unknown or contradicts another
     */
    public static Policy policy(String queuePath, UnaryOperator<String> lookUp) {
        return policy(queuePath, PolicyPlugins.installed(), lookUp);
    }

    /** The same out of {@code known}. */
    public static Policy policy(String queuePath, PolicyRegistry known, UnaryOperator<String> lookUp) {
        String placementName = find(queuePath, PLACEMENT, PolicyRegistry.DEFAULT_PLACEMENT, lookUp);
        Placement placement = explained(queuePath, PLACEMENT, () -> known.placement(placementName));
        String policyName = find(queuePath, POLICY, PolicyRegistry.DEFAULT_POLICY, lookUp);
        return explained(queuePath, POLICY, () -> known.policy(policyName, placement));
    }

    /**
     * What the GPUs of the queue's jobs may draw together and use over time, as its own settings say.
     *
     * @throws IllegalArgumentException if a value cannot be used
     */
    public static BudgetSetting budget(String queuePath, UnaryOperator<@Nullable String> lookUp) {
        String watts = PREFIX + queuePath + "." + POWER_BUDGET;
        String energy = PREFIX + queuePath + "." + ENERGY_BUDGET;
        return BudgetSetting.parse(
                watts,
                Objects.requireNonNullElse(lookUp.apply(watts), ""),
                energy,
                Objects.requireNonNullElse(lookUp.apply(energy), ""));
    }

    /**
     * The most that a job of the queue may say that its end is worth; empty for the priority of its application + 1.
     *
     * @throws IllegalArgumentException if the value cannot be used
     */
    public static OptionalDouble mostWeight(String queuePath, UnaryOperator<@Nullable String> lookUp) {
        String value = find(queuePath, MOST_WEIGHT, "", lookUp);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble weight = SizingSpec.weight(value);
        if (weight.isPresent()) {
            return weight;
        }
        throw new IllegalArgumentException(
                PREFIX + queuePath + "." + MOST_WEIGHT + " is '" + value + "', must be " + SizingSpec.RIGHT_WEIGHT);
    }

    /** The queue whose budget this key sets; empty for other keys. */
    public static Optional<String> queueOfBudget(String key) {
        return Stream.of("." + POWER_BUDGET, "." + ENERGY_BUDGET)
                .filter(end ->
                        key.startsWith(PREFIX) && key.endsWith(end) && key.length() > PREFIX.length() + end.length())
                .map(end -> key.substring(PREFIX.length(), key.length() - end.length()))
                .findFirst();
    }

    /** @throws IllegalArgumentException if a setting of the queue cannot be used */
    public static void check(String queuePath, UnaryOperator<String> lookUp) {
        policy(queuePath, lookUp);
        budget(queuePath, lookUp);
        var unused = mostWeight(queuePath, lookUp);
        for (String option : List.of(PREEMPTION, MIGRATION)) {
            String value = find(queuePath, option, "off", lookUp);
            if (!value.equals("off")) {
                throw new IllegalArgumentException(PREFIX + queuePath + "." + option + " is '" + value
                        + "', must be 'off': policies of orders start and resize jobs here, and those of power stop and move"
                        + " them without this setting");
            }
        }
    }

    /**
     * A setting of CapacityScheduler's own is none of ours, whatever is called {@code treadle} in it.
     *
     * @param isQueue tells queue paths: of a queue that is called {@code treadle} nothing is refused
     * @throws IllegalArgumentException if {@code key} looks like a setting of ours and is none
     */
    public static void checkKey(String key, Predicate<String> isQueue) {
        int at = key.lastIndexOf(MARK);
        if (!key.startsWith(PREFIX) || at < PREFIX.length() || KNOWN.contains(key.substring(at + 1))) {
            return;
        }
        String name = key.substring(at + MARK.length());
        if (!isQueue.test(key.substring(PREFIX.length(), at) + ".treadle") && !StockSettings.isName(name)) {
            throw new IllegalArgumentException(
                    "unknown setting '" + key + "': a queue knows " + String.join(", ", KNOWN));
        }
    }

    /** Whether the key is that of a setting of ours, of whatever queue or template. */
    public static boolean isKnown(String key) {
        return key.startsWith(PREFIX) && KNOWN.stream().anyMatch(name -> key.endsWith("." + name));
    }

    /**
     * Checks the value of a setting wherever it stands: one in a template for queues that do not exist yet would
     * otherwise be found wrong when the first of them is made.
     *
     * @throws IllegalArgumentException if {@code key} is a setting of ours and its value cannot be used
     */
    public static void checkValue(String key, @Nullable String value) {
        if (!key.startsWith(PREFIX) || value == null || value.isBlank()) {
            return;
        }
        for (String name : KNOWN) {
            if (key.endsWith("." + name)) {
                String path = key.substring(PREFIX.length(), key.length() - name.length() - 1);
                check(path, asked -> key.equals(asked) ? value : null);
            }
        }
    }

    private static String find(String queuePath, String name, String otherwise, UnaryOperator<String> lookUp) {
        for (String path = queuePath; !path.isEmpty(); path = parent(path)) {
            String value = lookUp.apply(PREFIX + path + "." + name);
            if (value != null && !value.isBlank()) {
                return value.trim();
            }
        }
        return otherwise;
    }

    private static String parent(String path) {
        return path.contains(".") ? path.substring(0, path.lastIndexOf('.')) : "";
    }

    private static <T> T explained(String queuePath, String name, java.util.function.Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(PREFIX + queuePath + "." + name + ": " + e.getMessage(), e);
        }
    }
}
