// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/** Compass, and what it is compared to, by name. */
public final class Dispatchers {
    /** In the order in which people compare them. */
    public static final List<String> NAMES = List.of("compass", "jit", "heft", "hash");

    private Dispatchers() {}

    /**
     * @param adjustment of Compass alone
     * @throws IllegalArgumentException if there is none of that name; the message names those that there are
     */
    public static Dispatcher of(String name, Costs costs, Adjustment adjustment) {
        return switch (name) {
            case "compass" -> new Compass(costs, adjustment);
            case "jit" -> new JustInTime(costs);
            case "heft" -> new Heft(costs);
            case "hash" -> new Hash();
            default -> throw new IllegalArgumentException("must be one of " + String.join(", ", NAMES));
        };
    }

    /** Plans when a query comes, by what workers have to do and hold, and looks again when a predecessor has ended. */
    private static final class Compass implements Dispatcher {
        private final ListPlanner planner;
        private final CompassAdjuster adjuster;

        Compass(Costs costs, Adjustment adjustment) {
            planner = new ListPlanner(costs, true);
            adjuster = new CompassAdjuster(costs, adjustment);
        }

        @Override
        public String name() {
            return "compass";
        }

        @Override
        public QueryPlan plan(Query query, ClusterView seen, double nowMs) {
            return planner.plan(query, seen, nowMs);
        }

        @Override
        public int place(Query query, QueryPlan plan, int task, int here, ClusterView seen) {
            return adjuster.adjust(query.graph().task(task), plan.worker(task), here, seen);
        }
    }

    /** Plans nothing: a task goes to where it begins earliest when all its inputs are there. */
    private static final class JustInTime implements Dispatcher {
        private final Nearest nearest;

        JustInTime(Costs costs) {
            nearest = new Nearest(costs);
        }

        @Override
        public String name() {
            return "jit";
        }

        @Override
        public QueryPlan plan(Query query, ClusterView seen, double nowMs) {
            QueryPlan plan = new QueryPlan(query.graph().size());
            for (int entry : query.graph().entries()) {
                plan.move(entry, nearest.of(query.graph().task(entry), query.ingress(), seen));
            }
            return plan;
        }

        @Override
        public boolean plansAhead() {
            return false;
        }

        @Override
        public int place(Query query, QueryPlan plan, int task, int here, ClusterView seen) {
            return nearest.of(query.graph().task(task), here, seen);
        }
    }

    /** Plans each query as if it were alone and all models were everywhere. */
    private static final class Heft implements Dispatcher {
        private final ListPlanner planner;

        Heft(Costs costs) {
            planner = new ListPlanner(new Costs(costs.delays(), false, costs.evictionPenalty()), false);
        }

        @Override
        public String name() {
            return "heft";
        }

        @Override
        public QueryPlan plan(Query query, ClusterView seen, double nowMs) {
            return planner.plan(query, seen, nowMs);
        }
    }

    /** Knows nothing: CRC-32 of {@code workflow/task/query} says which worker. */
    private static final class Hash implements Dispatcher {
        @Override
        public String name() {
            return "hash";
        }

        @Override
        public QueryPlan plan(Query query, ClusterView seen, double nowMs) {
            QueryPlan plan = new QueryPlan(query.graph().size());
            for (QueryTask task : query.graph().tasks()) {
                CRC32 crc = new CRC32();
                crc.update(
                        (query.graph().name() + "/" + task.id() + "/" + query.id()).getBytes(StandardCharsets.UTF_8));
                plan.move(task.id(), (int) (crc.getValue() % seen.workers()));
            }
            return plan;
        }
    }
}
