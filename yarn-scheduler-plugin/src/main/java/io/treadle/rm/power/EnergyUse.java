// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.budget.CarbonIntensity;
import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.budget.EnergyBudget.Kind;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.wire.BudgetUseRecord;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What energy budgets mean by what has been used of each. Nodes count on while no ResourceManager looks, and forget
 * containers that have ended: of a budget that another ResourceManager has kept before, what it had written down counts, and
 * the higher of what nodes have counted since and of what was seen here.
 */
public final class EnergyUse {
    /** The budget of all nodes, among those of queues. */
    static final String CLUSTER = "";

    private static final PowerView NO_LIMIT = PowerView.unlimited(0, 0, 1);

    private final PowerAccounts accounts;
    private final GridCarbon carbon;
    private final InstantSource clock;
    private final Map<String, Account> byTarget = new HashMap<>();
    /** What was written down of budgets that nobody has asked for here yet. */
    private final Map<String, BudgetUseRecord.Use> recorded = new HashMap<>();

    private long lastMs;

    private static final class Account {
        private final EnergyBudget budget;
        private final BudgetKeeper keeper;
        /** What nodes had counted when it was written down last; infinite where that is not known. */
        private final double recordedJoules;

        private Account(EnergyBudget budget, BudgetKeeper keeper, double recordedJoules) {
            this.budget = budget;
            this.keeper = keeper;
            this.recordedJoules = recordedJoules;
        }
    }

    /** @param limits limit, joules left or price that the budget comes to now */
    record Meaning(BudgetState state, PowerView limits) {}

    public EnergyUse(PowerAccounts accounts, GridCarbon carbon, InstantSource clock) {
        this.accounts = accounts;
        this.carbon = carbon;
        this.clock = clock;
    }

    /**
     * @param target a queue's path, or {@link #CLUSTER}
     * @param mostWatts the most that its limit can be, W
     * @param leastWatts the least, W
     * @return empty for a budget of CO2 while nothing is known of the grid
     */
    synchronized Optional<Meaning> at(String target, EnergyBudget budget, double mostWatts, double leastWatts) {
        boolean ofGrid = budget.kind() == Kind.CARBON;
        Optional<CarbonIntensity> grid = ofGrid ? carbon.intensity() : Optional.empty();
        if (ofGrid && grid.isEmpty()) {
            return Optional.empty();
        }
        lastMs = Math.max(lastMs, clock.millis());
        Account account = account(target, budget, grid);
        account.keeper.changeNodes(mostWatts, leastWatts, grid);
        double counted = counted(target, account.recordedJoules);
        PowerView limits = account.keeper.at(lastMs, counted, NO_LIMIT);
        return Optional.of(new Meaning(
                new BudgetState(
                        budget,
                        Math.max(0, account.keeper.joulesOf(counted)),
                        account.keeper.windowEndMs(lastMs),
                        limits.limitWatts()),
                limits));
    }

    private Account account(String target, EnergyBudget budget, Optional<CarbonIntensity> grid) {
        Account known = byTarget.get(target);
        if (known != null && known.budget.equals(budget)) {
            return known;
        }
        BudgetKeeper keeper = new BudgetKeeper(budget, 0, 0, grid);
        Optional<BudgetUseRecord.Use> use =
                Optional.ofNullable(recorded.get(target)).filter(u -> isLike(u.budget(), budget));
        // What another budget has used is kept until that one is looked at: it may not have been read yet.
        use.ifPresent(u -> recorded.remove(target));
        double recordedJoules = Double.POSITIVE_INFINITY;
        if (known != null && isLike(known.budget, budget)) {
            recordedJoules = known.recordedJoules;
            double counted = counted(target, recordedJoules);
            keeper.resume(lastMs, counted, known.keeper.joulesOf(counted));
        } else if (use.isPresent()) {
            recordedJoules = use.get().ledgerJoules();
            keeper.resume(Math.min(lastMs, use.get().atMs()), 0, use.get().usedJoules());
        } else {
            keeper.resume(lastMs, counted(target, recordedJoules), evenUntilNow(keeper, budget));
        }
        Account begun = new Account(budget, keeper, recordedJoules);
        byTarget.put(target, begun);
        return begun;
    }

    /** Of a window that has begun already, as much counts as used as would be at an even rate, J. */
    private double evenUntilNow(BudgetKeeper keeper, EnergyBudget budget) {
        OptionalLong end = keeper.windowEndMs(lastMs);
        return end.isEmpty()
                ? 0
                : budget.amount()
                        * EnergyBudget.JOULES_PER_KWH
                        * Math.max(0, 1 - (end.getAsLong() - lastMs) / (budget.hours() * 3.6e6));
    }

    private static boolean isLike(String text, EnergyBudget budget) {
        try {
            return isLike(EnergyBudget.parse(text), budget);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether what was used of the one counts for the other: another amount is the same budget, larger or smaller. */
    private static boolean isLike(EnergyBudget one, EnergyBudget other) {
        return one.kind() == other.kind() && one.hours() == other.hours();
    }

    /** A reading that never falls, J; 0 when this ResourceManager began. */
    private double counted(String target, double recordedJoules) {
        EnergyLedger.Reading reading = reading(target);
        double seen = reading.joules() - reading.broughtJoules();
        double hosts = target.equals(CLUSTER) ? accounts.meter().hostJoules() : 0;
        return hosts + Math.max(seen, reading.joules() - recordedJoules);
    }

    private EnergyLedger.Reading reading(String target) {
        return target.equals(CLUSTER)
                ? accounts.ledger().reading()
                : accounts.ledger().reading(target);
    }

    /** What is wrong with the series that budgets of CO2 go by. */
    List<String> carbonWarnings() {
        return carbon.warnings(clock.millis());
    }

    /** Of other targets there is no budget any more: one that is set again begins anew. */
    synchronized void keepOnly(Set<String> targets) {
        byTarget.keySet().retainAll(targets);
    }

    /** What a ResourceManager before this one has written down. */
    public synchronized void restore(BudgetUseRecord before) {
        recorded.putAll(before.queues());
        before.cluster().ifPresent(use -> recorded.put(CLUSTER, use));
        byTarget.clear();
    }

    /** To be written down. */
    synchronized BudgetUseRecord record() {
        Map<String, BudgetUseRecord.Use> uses = new HashMap<>(recorded);
        byTarget.forEach((target, account) -> uses.put(
                target,
                new BudgetUseRecord.Use(
                        account.budget.text(),
                        lastMs,
                        Math.max(0, account.keeper.joulesOf(counted(target, account.recordedJoules))),
                        reading(target).joules())));
        Optional<BudgetUseRecord.Use> cluster = Optional.ofNullable(uses.remove(CLUSTER));
        return new BudgetUseRecord(cluster, uses);
    }
}
