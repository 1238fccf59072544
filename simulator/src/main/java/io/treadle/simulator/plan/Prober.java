// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.InParallel;
import io.treadle.simulator.trace.Workload;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Simulates candidates, several at a time. */
final class Prober {
    private final SimulationOptions options;
    private final Prices prices;
    private final KeptPoints kept;
    private final int threads;
    private final BiConsumer<Point, Boolean> told;

    /** @param told is told each point as it is known, and whether an earlier call had done it */
    Prober(SimulationOptions options, Prices prices, KeptPoints kept, int threads, BiConsumer<Point, Boolean> told) {
        this.options = options;
        this.prices = prices;
        this.kept = kept;
        this.threads = threads;
        this.told = told;
    }

    /** One for each candidate, in their order. */
    List<Point> probe(Sizing sizing, List<Candidate> candidates) {
        Map<Candidate, Point> points = new ConcurrentHashMap<>();
        InParallel.run(
                threads,
                candidates.stream()
                        .<Runnable>map(candidate -> () -> points.put(candidate, point(sizing, candidate)))
                        .toList());
        return candidates.stream()
                .map(candidate -> Objects.requireNonNull(points.get(candidate)))
                .toList();
    }

    private Point point(Sizing sizing, Candidate candidate) {
        Workload workload;
        try {
            workload = sizing.on(candidate);
        } catch (InputException e) {
            // Such as a job that is larger than the cluster: this size is too small.
            return tell(new Point(candidate, 0, 0, null, first(e)), false);
        }
        Optional<Figures> before = kept.find(sizing.name(), candidate);
        Figures figures = before.orElseGet(
                () -> Figures.of(new Simulation(workload, options).run(candidate.policy(), ended -> {})));
        if (before.isEmpty()) {
            kept.add(sizing.name(), candidate, figures);
        }
        Point point = new Point(
                candidate, workload.cluster().capacity().gpus(), prices.perHour(workload.cluster()), figures, "");
        return tell(point, before.isPresent());
    }

    private synchronized Point tell(Point point, boolean isKept) {
        told.accept(point, isKept);
        return point;
    }

    private static String first(InputException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
