// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.rm.conf.PowerLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What settings and administrators say of budgets, made into watts at one moment, and where they contradict each other.
 */
public final class BudgetsInForce {
    private final ClusterDraw draw;
    private final Set<String> paths;
    private final List<String> warnings = new ArrayList<>();
    private final OptionalDouble cluster;
    /** Each queue's own, W. */
    private final Map<String, Double> own = new TreeMap<>();

    BudgetsInForce(
            Optional<PowerLimit> clusterSetting, BudgetQueues queues, PowerBudgetsRecord overrides, ClusterDraw draw) {
        this.draw = draw;
        this.paths = queues.paths();
        cluster = cluster(limit(overrides.cluster(), clusterSetting));
        Map<String, PowerLimit> limits = new HashMap<>();
        for (String path : paths) {
            limit(Optional.ofNullable(overrides.queues().get(path)), queues.setting(path))
                    .ifPresent(l -> limits.put(path, l));
        }
        // By path: a queue comes after those above it, of which its own may be a share.
        new TreeMap<>(limits).forEach((path, limit) -> own(path, limit));
        contradictions();
        unknown("a setting", queues.named());
        unknown("an administrator", overrides.queues().keySet());
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
        double floor = new BudgetKeeper(EnergyBudget.NONE, peak, draw.idleWatts(), Optional.empty()).floorWatts();
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

    private void own(String path, PowerLimit limit) {
        OptionalDouble whole = nearestAbove(path).stream().mapToDouble(own::get).findFirst();
        OptionalDouble of = whole.isPresent() ? whole : cluster;
        if (limit.share() && of.isEmpty() && draw.peakWatts() <= 0) {
            warnings.add("The power budget of queue " + path + " is " + limit
                    + " of the cluster's peak, which is not known until a node says what it draws. Until then there is"
                    + " none.");
            return;
        }
        own.put(path, limit.watts(of.orElse(draw.peakWatts())));
    }

    /** The nearest queue above that has a budget of its own. */
    private Optional<String> nearestAbove(String path) {
        return QueuePaths.above(path).stream().filter(own::containsKey).findFirst();
    }

    private void contradictions() {
        Map<String, Double> below = new TreeMap<>();
        own.forEach((path, watts) -> {
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
        return own.containsKey(path);
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
                    return Math.max(e.getValue() / (1 + othersUnder(e.getKey(), path)), left);
                })
                .min();
    }

    /** How many queues under {@code above} have jobs that draw, but for those under {@code path}. */
    private long othersUnder(String above, String path) {
        return draw.queues().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .filter(e -> QueuePaths.isUnder(e.getKey(), above) && !QueuePaths.isUnder(e.getKey(), path))
                .count();
    }

    /** Whole sentences. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }
}
