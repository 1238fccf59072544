// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.budget;

import io.treadle.core.cluster.PowerView;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a budget means at each moment, by what has been used. It is told the same clock and the same meter all the time.
 */
public final class BudgetKeeper {
    /** Below this part of the peak a cluster uses more energy for the same work: nodes draw while jobs take longer. */
    private static final double LEAST_SHARE = 0.25;
    /** What jobs may draw at least, as a part of what they can draw at most: with less, none could start. */
    private static final double LEAST_OF_JOBS = 0.1;
    /** Over which a limit that changes is smoothed, ms. */
    private static final double SMOOTHING_MS = 600_000;

    private static final double MS_PER_HOUR = 3.6e6;

    private final EnergyBudget budget;
    private double peakWatts;
    private double floorWatts;
    private Optional<CarbonIntensity> intensity;
    private long windowStartMs = Long.MIN_VALUE;
    private double usedAtStart;
    private long lastMs = -1;
    private double lastJoules;
    private long smoothedMs;
    private double smoothedWatts = Double.NaN;

    /**
     * @param peakWatts what all nodes draw with all GPUs at their default limits, W
     * @param idleWatts what they draw where nobody uses them, W
     * @param intensity of the grid; asked by budgets of CO2 alone
     * @throws IllegalArgumentException for a budget of CO2 where nothing is known of the grid
     */
    public BudgetKeeper(EnergyBudget budget, double peakWatts, double idleWatts, Optional<CarbonIntensity> intensity) {
        if (budget.kind() == EnergyBudget.Kind.CARBON && intensity.isEmpty()) {
            throw new IllegalArgumentException(
                    "a budget of CO2 needs a series of the grid's carbon intensity, and none is given");
        }
        this.budget = budget;
        this.intensity = intensity;
        this.peakWatts = peakWatts;
        this.floorWatts = floorWatts(peakWatts, idleWatts);
    }

    /** The least limit of nodes that draw so much at most and idle, W. */
    public static double floorWatts(double peakWatts, double idleWatts) {
        return Math.max(LEAST_SHARE * peakWatts, idleWatts + LEAST_OF_JOBS * (peakWatts - idleWatts));
    }

    /** The least limit that is kept to, W: a budget below it would only cost more energy. */
    public double floorWatts() {
        return floorWatts;
    }

    /**
     * From now on other nodes, or more known of them; what was used stays.
     *
     * @param peakWatts the most that a limit can be, W
     * @param floorWatts the least, W; 0 where nothing draws while the budget's jobs wait
     */
    public void changeNodes(double peakWatts, double floorWatts, Optional<CarbonIntensity> newest) {
        this.peakWatts = peakWatts;
        this.floorWatts = floorWatts;
        if (newest.isPresent()) {
            intensity = newest;
        }
    }

    /**
     * Goes on where another keeper of the same budget has ended.
     *
     * @param atMs when it was asked last
     * @param countedJoules reading of this keeper's meter at that moment, J
     * @param joules used of the budget by then, since the start of the window that {@code atMs} is in, J
     */
    public void resume(long atMs, double countedJoules, double joules) {
        lastMs = atMs;
        lastJoules = countedJoules;
        usedAtStart = countedJoules - joules;
        windowStartMs = budget.kind() == EnergyBudget.Kind.WINDOW ? startOf(atMs) : Long.MIN_VALUE;
        smoothedWatts = Double.NaN;
    }

    /** What has been used of the budget: in the window, or in all, J. */
    public double joulesOf(double usedJoules) {
        return usedJoules - usedAtStart;
    }

    private long startOf(long nowMs) {
        return Math.floorDiv(nowMs, lengthMs()) * lengthMs();
    }

    private long lengthMs() {
        return Math.round(budget.hours() * MS_PER_HOUR);
    }

    /** When the window ends that this moment is in, ms; a budget of another kind has none. */
    public OptionalLong windowEndMs(long nowMs) {
        return budget.kind() == EnergyBudget.Kind.WINDOW
                ? OptionalLong.of(startOf(nowMs) + lengthMs())
                : OptionalLong.empty();
    }

    /**
     * What the nodes draw, with what the budget now says.
     *
     * @param usedJoules by all nodes so far, J
     */
    public PowerView at(long nowMs, double usedJoules, PowerView nodes) {
        return switch (budget.kind()) {
            case NONE -> nodes;
            case PRICE -> nodes.withPrice(budget.amount() / EnergyBudget.JOULES_PER_KWH);
            case SHARE -> nodes.withLimit(clamped(budget.amount() * peakWatts));
            case WATTS -> nodes.withLimit(clamped(budget.amount()));
            case TOTAL ->
                nodes.withJoulesLeft(Math.max(0, budget.amount() * EnergyBudget.JOULES_PER_KWH - joulesOf(usedJoules)));
            case WINDOW -> nodes.withLimit(smoothed(nowMs, inWindow(nowMs, usedJoules)));
            case CARBON ->
                nodes.withLimit(
                        clamped(1000 * budget.amount() / intensity.orElseThrow().gramsPerKwh(nowMs)));
        };
    }

    private double clamped(double watts) {
        return Math.max(floorWatts, Math.min(peakWatts, watts));
    }

    /** What is left of the window's energy over what is left of the window. */
    private double inWindow(long nowMs, double usedJoules) {
        long start = startOf(nowMs);
        if (start != windowStartMs) {
            // Nobody may have asked for hours: what was used since goes along a straight line.
            double part = lastMs < start && lastMs >= 0 ? (double) (start - lastMs) / (nowMs - lastMs) : 1;
            usedAtStart = lastMs < 0 ? 0 : lastJoules + part * (usedJoules - lastJoules);
            windowStartMs = start;
        }
        lastMs = nowMs;
        lastJoules = usedJoules;
        double left = budget.amount() * EnergyBudget.JOULES_PER_KWH - joulesOf(usedJoules);
        // The last minute is as long as any: what is left of a joule over what is left of a second means nothing.
        double seconds = Math.max(60, (start + lengthMs() - nowMs) / 1000.0);
        return clamped(left / seconds);
    }

    private double smoothed(long nowMs, double watts) {
        double weight = Double.isNaN(smoothedWatts) ? 1 : 1 - Math.exp(-(nowMs - smoothedMs) / SMOOTHING_MS);
        smoothedWatts = weight == 1 ? watts : smoothedWatts + weight * (watts - smoothedWatts);
        smoothedMs = nowMs;
        return smoothedWatts;
    }
}
