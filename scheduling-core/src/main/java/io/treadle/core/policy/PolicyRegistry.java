// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static java.util.stream.Collectors.joining;

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
import io.treadle.core.policy.allocation.SynergyGreedy;
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
import java.util.List;
import java.util.function.Function;

/** Finds policies and placements by the names that people write. */
public final class PolicyRegistry {
    /** What a queue runs whose settings name no policy. */
    public static final String DEFAULT_POLICY = "srtf+synergy-tune";
    /** What a queue uses whose settings name no placement. */
    public static final String DEFAULT_PLACEMENT = "consolidate";

    private static final List<Order> ORDERS = List.of(
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
            new Tetris());
    private static final List<Allocation> ALLOCATIONS =
            List.of(new Proportional(), new SynergyGreedy(), new SynergyTune());
    private static final List<Placement> PLACEMENTS = List.of(
            new FirstFit(),
            new BestFit(),
            new FreeGpu(),
            new Consolidate(),
            new Fgd(),
            new DotProduct(),
            new Packed(),
            new Buddy());

    private PolicyRegistry() {}

    /**
     * @param name {@code <order>+<allocation>}; an order alone means {@code proportional}
     * @throws IllegalArgumentException if there is no such policy; the message names those that there are
     */
    public static Policy policy(String name, Placement placement) {
        return policy(name, placement, Discipline.DEFAULT, ORDERS);
    }

    /**
     * @param orders the orders to choose from, some perhaps as a published simulator has them
     * @throws IllegalArgumentException if there is no such policy; the message names those that there are
     */
    public static Policy policy(String name, Placement placement, Discipline discipline, List<Order> orders) {
        int plus = name.indexOf('+');
        String order = plus < 0 ? name : name.substring(0, plus);
        String allocation = plus < 0 ? "proportional" : name.substring(plus + 1);
        return new OrderedPolicy(
                find("order", order, "policy '" + name + "': ", orders, Order::name),
                find("allocation", allocation, "policy '" + name + "': ", ALLOCATIONS, Allocation::name),
                placement,
                discipline);
    }

    public static List<Order> orders() {
        return ORDERS;
    }

    /** @throws IllegalArgumentException if there is no such placement; the message names those that there are */
    public static Placement placement(String name) {
        return find("placement", name, "", PLACEMENTS, Placement::name);
    }

    private static <T> T find(String what, String name, String context, List<T> all, Function<T, String> nameOf) {
        return all.stream()
                .filter(one -> nameOf.apply(one).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(context + "unknown " + what + " '" + name
                        + "', must be one of " + all.stream().map(nameOf).collect(joining(", "))));
    }
}
