// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.budget.EnergyBudget.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** What energy budgets come to at one moment. */
final class EnergyInForce {
    private final EnergyUse use;
    private final ClusterDraw draw;
    private final List<String> warnings;
    private final Map<String, EnergyUse.Meaning> byTarget = new TreeMap<>();
    private final Set<String> budgeted = new HashSet<>();
    /** Targets whose budget is used up for now or for good. */
    private final Set<String> usedUp = new HashSet<>();

    private boolean asksGrid;

    /** @param warnings takes whole sentences */
    EnergyInForce(EnergyUse use, ClusterDraw draw, List<String> warnings) {
        this.use = use;
        this.draw = draw;
        this.warnings = warnings;
    }

    /** What counts of what an administrator has said and of the setting. */
    EnergyBudget budget(String target, Optional<String> override, EnergyBudget setting) {
        try {
            return override.map(EnergyBudget::parse).orElse(setting);
        } catch (IllegalArgumentException e) {
            warnings.add("What was set for " + whose(target) + " cannot be read, the setting counts: " + e.getMessage()
                    + ".");
            return setting;
        }
    }

    private static String whose(String target) {
        return target.equals(EnergyUse.CLUSTER) ? "the cluster" : "queue " + target;
    }

    /**
     * The limit in watts that a budget comes to; empty where it comes to none.
     *
     * @param mostWatts the most that it can be, W; 0 where that is not known
     * @param leastWatts the least, W
     */
    OptionalDouble limit(String target, EnergyBudget budget, double mostWatts, double leastWatts) {
        if (budget.kind() == Kind.NONE) {
            return OptionalDouble.empty();
        }
        budgeted.add(target);
        asksGrid |= budget.kind() == Kind.CARBON;
        String what = "The energy budget of " + whose(target) + ", " + budget.words() + ",";
        if (mostWatts <= 0) {
            warnings.add(what + " means nothing until a node says what it draws.");
            return OptionalDouble.empty();
        }
        Optional<EnergyUse.Meaning> meaning = use.at(target, budget, mostWatts, leastWatts);
        if (meaning.isEmpty()) {
            return OptionalDouble.empty();
        }
        byTarget.put(target, meaning.get());
        BudgetState state = meaning.get().state();
        // Of a window: of a total that is used up jobs go on. It comes to the least limit before all of it is used.
        if (budget.kind() == Kind.WINDOW && (state.isUsedUp() || state.limitWatts() <= leastWatts)) {
            usedUp.add(target);
        }
        if (state.isUsedUp()) {
            warnings.add(what + " is used up" + instead(state, leastWatts));
        } else if (state.limitWatts() <= leastWatts) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "%s comes to less than its nodes need: %,.0f W count, with which jobs can run. To use less, take"
                            + " nodes out.",
                    what,
                    leastWatts));
        }
        return state.limitWatts() < Double.POSITIVE_INFINITY
                ? OptionalDouble.of(state.limitWatts())
                : OptionalDouble.empty();
    }

    private static String instead(BudgetState state, double leastWatts) {
        if (state.windowEndMs().isEmpty()) {
            return ": jobs go on with what takes least energy. Maybe set a larger one.";
        }
        String until = " until " + PowerTimes.text(state.windowEndMs().getAsLong());
        return leastWatts > 0
                ? String.format(Locale.ROOT, "%s: %,.0f W count, with which jobs can run.", until, leastWatts)
                : until + ": its jobs wait.";
    }

    /** All targets have been asked for. */
    void end() {
        use.keepOnly(budgeted);
        if (asksGrid) {
            warnings.addAll(use.carbonWarnings());
        }
    }

    Optional<BudgetState> state(String target) {
        return Optional.ofNullable(byTarget.get(target)).map(EnergyUse.Meaning::state);
    }

    /**
     * What the queue's jobs may still use, J: by its own budgets and all above it. What queues share that draw now each has
     * an equal part of. Infinite for no limit.
     */
    double joulesLeft(String path) {
        return byTarget.entrySet().stream()
                .filter(e -> isAbove(e.getKey(), path))
                .mapToDouble(e -> e.getValue().limits().joulesLeft() / (1 + draw.othersUnder(e.getKey(), path)))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The highest price on the queue's energy, its own or of one above it, s/J. */
    double secondsPerJoule(String path) {
        return byTarget.entrySet().stream()
                .filter(e -> isAbove(e.getKey(), path))
                .mapToDouble(e -> e.getValue().limits().secondsPerJoule())
                .max()
                .orElse(0);
    }

    /** Whether its own budget is used up for now or for good, or one above it. */
    boolean isUsedUp(String path) {
        return usedUp.stream().anyMatch(target -> isAbove(target, path));
    }

    private static boolean isAbove(String target, String path) {
        return target.equals(EnergyUse.CLUSTER) || QueuePaths.isUnder(path, target);
    }
}
