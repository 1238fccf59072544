// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableMap;
import io.treadle.core.placement.Auto;
import io.treadle.core.placement.Balanced;
import io.treadle.core.placement.BestFit;
import io.treadle.core.placement.Buddy;
import io.treadle.core.placement.Consolidate;
import io.treadle.core.placement.DotProduct;
import io.treadle.core.placement.Fgd;
import io.treadle.core.placement.FirstFit;
import io.treadle.core.placement.FreeGpu;
import io.treadle.core.placement.Packed;
import io.treadle.core.placement.Placement;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.Proportional;
import io.treadle.core.policy.allocation.SynergyBalanced;
import io.treadle.core.policy.allocation.SynergyGreedy;
import io.treadle.core.policy.allocation.SynergyOpt;
import io.treadle.core.policy.allocation.SynergyTune;
import io.treadle.core.policy.order.Drf;
import io.treadle.core.policy.order.Fifo;
import io.treadle.core.policy.order.Ftf;
import io.treadle.core.policy.order.Gittins;
import io.treadle.core.policy.order.Las;
import io.treadle.core.policy.order.Lsf;
import io.treadle.core.policy.order.Order;
import io.treadle.core.policy.order.Qssf;
import io.treadle.core.policy.order.Sjf;
import io.treadle.core.policy.order.Srsf;
import io.treadle.core.policy.order.Srtf;
import io.treadle.core.policy.order.Tetris;
import io.treadle.core.policy.order.TwoDimensionalLas;
import io.treadle.core.policy.powerflow.PowerPolicies;
import io.treadle.core.policy.smd.SmdPolicies;
import io.treadle.core.policy.smd.SmdRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds policies and placements by the names that people write. */
public final class PolicyRegistry {
    /** What a queue runs whose settings name no policy. */
    public static final String DEFAULT_POLICY = "srtf+synergy-balanced";
    /** What a queue uses whose settings name no placement. */
    public static final String DEFAULT_PLACEMENT = "auto";

    /** What comes with Treadle. */
    public static final PolicyRegistry BUILT_IN = new PolicyRegistry(
            List.of(
                    new Fifo(),
                    new Sjf(),
                    new Lsf(),
                    new Srtf(),
                    new Srsf(),
                    new Las(),
                    new TwoDimensionalLas(),
                    new Gittins(),
                    new Qssf(),
                    new Ftf(),
                    new Drf(),
                    new Tetris()),
            List.of(
                    new FirstFit(),
                    new BestFit(),
                    new FreeGpu(),
                    new Consolidate(),
                    new Fgd(),
                    new DotProduct(),
                    new Packed(),
                    new Buddy(),
                    new Balanced(),
                    new Auto()),
            wholePolicies(),
            List.of(
                    new Proportional(),
                    new SynergyGreedy(),
                    new SynergyTune(),
                    new SynergyBalanced(),
                    new SynergyOpt()));

    private static Map<String, Function<Placement, Policy>> wholePolicies() {
        Map<String, Function<Placement, Policy>> all = new LinkedHashMap<>(PowerPolicies.all());
        all.putAll(SmdPolicies.all());
        return all;
    }

    /** Names go into file names and settings. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    /** With what energy counts for. */
    private static final Pattern ZEUS = Pattern.compile("([a-z]+)\\+zeus-([01](?:\\.\\d{1,6})?)");

    private final List<Order> orders;
    private final List<Placement> placements;
    private final Map<String, Function<Placement, Policy>> policies;
    private final List<Allocation> allocations;

    private PolicyRegistry(
            List<Order> orders,
            List<Placement> placements,
            Map<String, Function<Placement, Policy>> policies,
            List<Allocation> allocations) {
        this.orders = List.copyOf(orders);
        this.placements = List.copyOf(placements);
        this.policies = ImmutableMap.copyOf(policies);
        this.allocations = List.copyOf(allocations);
    }

    /** These and more allocations, of names of their own. */
    public PolicyRegistry withAllocations(List<Allocation> more) {
        return new PolicyRegistry(
                orders,
                placements,
                policies,
                Stream.concat(allocations.stream(), more.stream()).toList());
    }

    /** The same, with those of workers and parameter servers tuned so. */
    public PolicyRegistry with(SmdRules rules) {
        Map<String, Function<Placement, Policy>> tuned = new LinkedHashMap<>(policies);
        tuned.putAll(SmdPolicies.all(rules));
        return new PolicyRegistry(orders, placements, tuned, allocations);
    }

    /**
     * These and those of the plugins.
     *
     * @throws IllegalArgumentException if a name is there already, or is no name
     */
    public PolicyRegistry with(List<PolicyPlugin> plugins) {
        List<Order> allOrders = new ArrayList<>(orders);
        List<Placement> allPlacements = new ArrayList<>(placements);
        Map<String, Function<Placement, Policy>> allPolicies = new LinkedHashMap<>(policies);
        for (PolicyPlugin plugin : plugins) {
            for (Order order : plugin.orders()) {
                checkNew(plugin, "order", order.name(), names(allOrders, allPolicies));
                allOrders.add(order);
            }
            plugin.policies().forEach((name, make) -> {
                checkNew(plugin, "policy", name, names(allOrders, allPolicies));
                allPolicies.put(name, make);
            });
            for (Placement placement : plugin.placements()) {
                checkNew(
                        plugin,
                        "placement",
                        placement.name(),
                        allPlacements.stream().map(Placement::name).toList());
                allPlacements.add(placement);
            }
        }
        return new PolicyRegistry(allOrders, allPlacements, allPolicies, allocations);
    }

    private static List<String> names(List<Order> orders, Map<String, ?> policies) {
        return Stream.concat(orders.stream().map(Order::name), policies.keySet().stream())
                .toList();
    }

    private static void checkNew(PolicyPlugin plugin, String what, String name, List<String> known) {
        String context = "policy plugin " + plugin.getClass().getName() + ": " + what + " '" + name + "' ";
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    context + "must be of small letters, digits and '-' between them, such as 'my-order'");
        }
        if (known.contains(name)) {
            throw new IllegalArgumentException(context + "is there already: it needs a name of its own");
        }
    }

    /**
     * @param name {@code <order>+<allocation>}; an order alone means {@code proportional}
     * @throws IllegalArgumentException if there is no such policy; the message names those that there are
     */
    public Policy policy(String name, Placement placement) {
        return policy(name, placement, Discipline.DEFAULT, orders);
    }

    /**
     * @param from the orders to choose from, some perhaps as a published simulator has them
     * @throws IllegalArgumentException if there is no such policy; the message names those that there are
     */
    public Policy policy(String name, Placement placement, Discipline discipline, List<Order> from) {
        return policy(name, placement, discipline, from, allocations);
    }

    /**
     * @param from the orders to choose from, some perhaps as a published simulator has them
     * @param sizing the allocations, likewise
     * @throws IllegalArgumentException if there is no such policy; the message names those that there are
     */
    public Policy policy(
            String name, Placement placement, Discipline discipline, List<Order> from, List<Allocation> sizing) {
        Function<Placement, Policy> whole = policies.get(name);
        if (whole != null) {
            if (!discipline.withMigration(false).equals(Discipline.DEFAULT)) {
                throw new IllegalArgumentException(
                        "policy '" + name
                                + "' decides itself what makes way: preemption and a published simulator's rules are not for it");
            }
            Policy own = whole.apply(placement);
            if (own.stopsJobs() && discipline.migration()) {
                throw new IllegalArgumentException(
                        "policy '" + name + "' moves jobs itself: migration must be 'off' with it");
            }
            return discipline.migration() ? new MigratingPolicy(own, placement) : own;
        }
        Matcher zeus = ZEUS.matcher(name);
        if (zeus.matches() && discipline.equals(Discipline.DEFAULT)) {
            return PowerPolicies.zeus(zeus.group(1), Double.parseDouble(zeus.group(2)), placement);
        }
        int plus = name.indexOf('+');
        String order = plus < 0 ? name : name.substring(0, plus);
        String allocation = plus < 0 ? "proportional" : name.substring(plus + 1);
        return new OrderedPolicy(
                order(name, order, from),
                find("allocation", allocation, "policy '" + name + "': ", sizing, Allocation::name),
                placement,
                discipline);
    }

    private Order order(String policy, String name, List<Order> from) {
        try {
            return find("order", name, "policy '" + policy + "': ", from, Order::name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + ", or the policy one of " + String.join(", ", policies.keySet()), e);
        }
    }

    public List<Allocation> allocations() {
        return allocations;
    }

    public List<Order> orders() {
        return orders;
    }

    /** @throws IllegalArgumentException if there is no such placement; the message names those that there are */
    public Placement placement(String name) {
        return find("placement", name, "", placements, Placement::name);
    }

    private static <T> T find(String what, String name, String context, List<T> all, Function<T, String> nameOf) {
        return all.stream()
                .filter(one -> nameOf.apply(one).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(context + "unknown " + what + " '" + name
                        + "', must be one of " + all.stream().map(nameOf).collect(joining(", "))));
    }
}
