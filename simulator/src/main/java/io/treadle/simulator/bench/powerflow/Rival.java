// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.core.budget.EnergyBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A policy with the knob by which it trades time for energy.
 *
 * @param name what it is called
 * @param points one for each turn of the knob
 * @param noise of what it is told of jobs, as {@link DrawnJobs} has it
 * @param powerOff whether empty nodes are switched off
 * @param besideOff whether it is held beside ours with empty nodes switched off
 */
record Rival(String name, List<Point> points, double noise, boolean powerOff, boolean besideOff) {
    static final double TRUTH = -1;

    /** Price of a kWh, s of completion time. */
    private static final double[] PRICES = {0, 36, 108, 216, 360, 540, 720, 1080, 1620, 2520, 3600, 7200};

    private static final double[] SHARES = {.3, .35, .4, .45, .5, .55, .6, .7, .8, .9, 1};
    private static final double[] WEIGHTS = {0, .2, .35, .5, .65, .8, 1};

    /** What is run. */
    record Point(String policy, EnergyBudget budget) {
        String words() {
            return budget.kind() == EnergyBudget.Kind.NONE
                    ? policy
                    : policy + " at " + budget.kind().name().toLowerCase(Locale.ROOT) + " " + budget.amount();
        }
    }

    Rival {
        points = List.copyOf(points);
    }

    /** One whose nodes are all on. */
    private Rival(String name, List<Point> points, double noise) {
        this(name, points, noise, false, false);
    }

    /** With every so many points of the knob from the first on, and the last. */
    Rival thinned(int every) {
        return new Rival(
                name,
                IntStream.range(0, points.size())
                        .filter(i -> i % every == 0 || i == points.size() - 1)
                        .mapToObj(points::get)
                        .toList(),
                noise,
                powerOff,
                besideOff);
    }

    private Rival withNodesOff() {
        return new Rival(name + ", empty nodes off", points, noise, true, true);
    }

    static Rival ours() {
        return new Rival("powerflow", priced(), TRUTH);
    }

    static Rival oursWithNodesOff() {
        return ours().withNodesOff();
    }

    static Rival ours(double noise) {
        return new Rival(
                String.format(Locale.ROOT, "powerflow, measured with %.0f %% noise", 100 * noise), priced(), noise);
    }

    private static List<Point> priced() {
        return DoubleStream.of(PRICES)
                .mapToObj(price -> new Point("powerflow", EnergyBudget.ofPrice(price)))
                .toList();
    }

    /** Under a limit on power in place of a price. */
    private static Rival limited(String name, String policy) {
        return new Rival(
                name,
                DoubleStream.of(SHARES)
                        .mapToObj(share -> new Point(policy, EnergyBudget.ofShare(share)))
                        .toList(),
                TRUTH);
    }

    private static Rival zeus(String rule) {
        List<Point> points = new ArrayList<>();
        for (double weight : WEIGHTS) {
            points.add(new Point(rule + "+zeus-" + weight, EnergyBudget.NONE));
        }
        return new Rival(rule + "+zeus", points, TRUTH);
    }

    private static Rival plain(String name) {
        return new Rival(name, List.of(new Point(name, EnergyBudget.NONE)), TRUTH);
    }

    /** All with which ours is compared. */
    static List<Rival> others() {
        return Stream.concat(
                        Stream.of("tiresias", "fifo", "elastic", "gandiva", "pollux")
                                .map(Rival::zeus),
                        Stream.concat(
                                Stream.of(
                                        limited("powerflow-relative", "powerflow-relative"),
                                        limited("powerflow under a limit", "powerflow")),
                                Stream.concat(
                                        Stream.of("gandiva", "pollux", "afs").map(Rival::plain),
                                        Stream.of(
                                                new Rival(
                                                        "powerflow with all nodes on, beside it with empty nodes off",
                                                        priced(),
                                                        TRUTH,
                                                        false,
                                                        true),
                                                zeus("tiresias").withNodesOff(),
                                                zeus("elastic").withNodesOff()))))
                .toList();
    }
}
