// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.PowerLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

/**
 * What settings and administrators say of budgets, made into watts at one moment, and where they contradict each other.
 */
public final class BudgetsInForce {
    private final ClusterDraw draw;
    private final Set<String> paths;
    private final List<String> warnings = new ArrayList<>();
    private final EnergyInForce energy;
    private final OptionalDouble cluster;
    /** Each queue's own budget in watts, W. */
    private final Map<String, Double> said = new TreeMap<>();
    /** The same, or what its energy budget comes to where that is less, W. */
    private final Map<String, Double> own = new TreeMap<>();

    BudgetsInForce(
            BudgetSetting setting, BudgetQueues queues, PowerBudgetsRecord overrides, ClusterDraw draw, EnergyUse use) {
        this.draw = draw;
        this.paths = queues.paths();
        this.energy = new EnergyInForce(use, draw, warnings);
        OptionalDouble watts = cluster(limit(overrides.cluster(), setting.watts()));
        cluster = least(
                watts,
                energy.limit(
                        EnergyUse.CLUSTER,
                        energy.budget(EnergyUse.CLUSTER, overrides.clusterEnergy(), setting.energy()),
                        draw.peakWatts(),
                        BudgetKeeper.floorWatts(draw.peakWatts(), draw.idleWatts())));
        // By path: a queue comes after those above it, of which its own may be a share.
        for (String path : new TreeSet<>(paths)) {
            BudgetSetting of = queues.setting(path);
            double whole = whole(path);
            limit(Optional.ofNullable(overrides.queues().get(path)), of.watts())
                    .ifPresent(limit -> own(path, limit, whole));
            Optional<String> override =
                    Optional.ofNullable(overrides.queueEnergies().get(path));
            energy.limit(path, energy.budget(path, override, of.energy()), whole, 0)
                    .ifPresent(w -> own.merge(path, w, Math::min));
        }
        energy.end();
        contradictions();
        unknown("a setting", queues.named());
        Set<String> overridden = new TreeSet<>(overrides.queues().keySet());
        overridden.addAll(overrides.queueEnergies().keySet());
        unknown("an administrator", overridden);
    }

    private static OptionalDouble least(OptionalDouble one, OptionalDouble other) {
        return DoubleStream.concat(one.stream(), other.stream()).min();
    }

    private static Optional<PowerLimit> limit(Optional<OptionalDouble> override, Optional<PowerLimit> setting) {
        return override.map(watts -> watts.isPresent()
                        ? Optional.of(new PowerLimit(watts.getAsDouble(), false))
                        : Optional.<PowerLimit>empty())
                .orElse(setting);
    }

    private OptionalDouble cluster(Optional<PowerLimit> limit) {
        if (limit.isEmpty()) {
            return OptionalDouble.empty();
        }
        double peak = draw.peakWatts();
        if (peak <= 0) {
            if (limit.get().share()) {
                warnings.add(
                        "The cluster's power budget is " + limit.get()
                                + " of its peak, which is not known until a node says what it draws. Until then there is none.");
                return OptionalDouble.empty();
            }
            return OptionalDouble.of(limit.get().watts(peak));
        }
        double watts = limit.get().watts(peak);
        double floor = BudgetKeeper.floorWatts(peak, draw.idleWatts());
        if (watts < floor) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "The cluster's power budget is %,.0f W, too little for its nodes, which draw %,.0f W idle and %,.0f W"
                            + " at most: %,.0f W count, with which jobs can run. To use less, take nodes out.",
                    watts,
                    draw.idleWatts(),
                    peak,
                    floor));
            return OptionalDouble.of(floor);
        }
        return OptionalDouble.of(watts);
    }

    private void own(String path, PowerLimit limit, double whole) {
        if (limit.share() && whole <= 0) {
            warnings.add("The power budget of queue " + path + " is " + limit
                    + " of the cluster's peak, which is not known until a node says what it draws. Until then there is"
                    + " none.");
            return;
        }
        own.put(path, limit.watts(whole));
        said.put(path, limit.watts(whole));
    }

    /** What the queue may have a share of, W; 0 where that is not known. */
    private double whole(String path) {
        return nearestAbove(path).map(own::get).orElse(cluster.orElse(draw.peakWatts()));
    }

    /** The nearest queue above that has a budget of its own. */
    private Optional<String> nearestAbove(String path) {
        return QueuePaths.above(path).stream().filter(own::containsKey).findFirst();
    }

    private void contradictions() {
        Map<String, Double> below = new TreeMap<>();
        said.forEach((path, watts) -> {
            Optional<String> above = nearestAbove(path);
            above.ifPresent(a -> below.merge(a, watts, Double::sum));
            String over = above.map(a -> "queue " + a + " above it").orElse("the cluster");
            double most = above.map(own::get).orElse(cluster.orElse(Double.POSITIVE_INFINITY));
            if (watts > most) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "The power budget of queue %s is %,.0f W, that of %s %,.0f W: the smaller one counts.",
                        path,
                        watts,
                        over,
                        most));
            }
        });
        below.forEach((path, sum) -> {
            if (sum > own.getOrDefault(path, 0.0)) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "The power budgets below queue %s add up to %,.0f W, its own is %,.0f W: they share that.",
                        path,
                        sum,
                        own.getOrDefault(path, 0.0)));
            }
        });
    }

    private void unknown(String who, Set<String> named) {
        for (String path : new TreeSet<>(named)) {
            if (!paths.contains(path)) {
                warnings.add("A power budget is set by " + who + " for queue " + path
                        + ", and there is no such queue: it means nothing.");
            }
        }
    }

    /** What all nodes may draw, W. */
    public OptionalDouble clusterWatts() {
        return cluster;
    }

    /** Whether the queue has a budget of its own. */
    public boolean hasOwn(String path) {
        return own.containsKey(path) || energy.state(path).isPresent();
    }

    /** The smallest of the queue's own and those of the queues above it, W. */
    public OptionalDouble limitWatts(String path) {
        return own.entrySet().stream()
                .filter(e -> QueuePaths.isUnder(path, e.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .min();
    }

    /**
     * The same, with what jobs of other queues draw now taken off what they share with this one, W; never less than an equal
     * part of it, so that queues that drew nothing and then too much together come down to their parts and not to nothing.
     */
    public OptionalDouble queueWatts(String path) {
        double drawn = draw.under(path);
        return own.entrySet().stream()
                .filter(e -> QueuePaths.isUnder(path, e.getKey()))
                .mapToDouble(e -> {
                    double left = e.getValue() - Math.max(0, draw.under(e.getKey()) - drawn);
                    return Math.max(e.getValue() / (1 + draw.othersUnder(e.getKey(), path)), left);
                })
                .min();
    }

    /** What the queue's jobs may draw and use. */
    public Allowed allowed(String path) {
        return new Allowed(cluster, queueWatts(path), energy.joulesLeft(path), energy.secondsPerJoule(path));
    }

    /** Whether an energy budget of the queue, of one above it or of the cluster is used up, for now or for good. */
    public boolean isUsedUp(String path) {
        return energy.isUsedUp(path);
    }

    /** The cluster's energy budget. */
    public Optional<BudgetState> clusterEnergy() {
        return energy.state(EnergyUse.CLUSTER);
    }

    /** The queue's own energy budget. */
    public Optional<BudgetState> energy(String path) {
        return energy.state(path);
    }

    /** Whole sentences. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }
}
