// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.SimulationOptions;

/** How a run is simulated. */
enum Rules {
    /** As Synergy's artifact does by default: all is placed anew every 300 s, a job's GPUs anywhere, free of charge. */
    THEIRS("theirs", "Synergy's rounds, first fit", Compat.SYNERGY, "first-fit", 0),
    /** The same, but for its {@code +place}: jobs whole on one server where they fit there. */
    THEIRS_WHOLE("theirs-whole", "Synergy's rounds, whole on servers", Compat.SYNERGY, "consolidate", 0),
    /** In its rounds, with all servers as one: where no job is in another's way but for the sum. */
    BOUND("bound", "Synergy's rounds, all servers as one", Compat.SYNERGY, "first-fit", 0),
    /** As Treadle runs jobs: at every arrival and end, in place, nothing starts again. */
    OURS("ours", "ours", Compat.NONE, Rules.AUTO, 0),
    /** The same where a job on several servers pays for it. */
    OURS_PAYING("ours-paying", "ours, spread jobs 20 % slower", Compat.NONE, Rules.AUTO, Rules.SPREAD),
    /** The same with a job's GPUs anywhere. */
    OURS_SCATTERED(
            "ours-scattered", "ours, first fit, spread jobs 20 % slower", Compat.NONE, "first-fit", Rules.SPREAD),
    /** The same with jobs where they fit tightest by GPUs. */
    OURS_TIGHT(
            "ours-tight", "ours, tightest by GPUs, spread jobs 20 % slower", Compat.NONE, "consolidate", Rules.SPREAD),
    /** The same where stops cost something of which nobody asks. */
    OURS_STOPS_CHARGED(
            "ours-stops-charged",
            "A job that was stopped takes 300 s to start again and falls back to its last checkpoint, one every 30 minutes",
            Compat.NONE,
            Rules.AUTO,
            0),
    /** The same where it is asked. */
    OURS_STOPS_WEIGHED("ours-stops-weighed", "what stops cost weighed", Compat.NONE, Rules.AUTO, 0);

    /** How much longer a job runs on several servers: what AnalySIM charges for a network that is crossed. */
    private static final double SPREAD = .2;

    private static final double RESTART_SECONDS = 300;
    private static final double CHECKPOINT_SECONDS = 1800;

    private static final String AUTO = PolicyRegistry.DEFAULT_PLACEMENT;
    private static final long ROUND_MS = 300_000;
    private static final long FIRST_BY_THE_TRACE = -1;

    private final String key;
    private final String words;
    private final Compat compat;
    private final String placement;
    private final double spread;

    Rules(String key, String words, Compat compat, String placement, double spread) {
        this.key = key;
        this.words = words;
        this.compat = compat;
        this.placement = placement;
        this.spread = spread;
    }

    /** A name for files. */
    String key() {
        return key;
    }

    /** For people. */
    String words() {
        return words;
    }

    /** Whether it is Synergy's own simulator. */
    boolean isTheirs() {
        return compat == Compat.SYNERGY;
    }

    /** Where jobs go is a part of our allocation: in its simulator too it chooses itself. */
    String placement(String allocation) {
        return this == THEIRS && allocation.equals(Allocations.BALANCED) ? AUTO : placement;
    }

    /** Orders that look at what is left, or was had, mean nothing to jobs that never make way. */
    SimulationOptions options(String order, String where, MeasuredJobs measured) {
        boolean preempts = compat == Compat.NONE && !order.equals("fifo");
        Crossing crossing = new Crossing(0, spread);
        Costs costs =
                switch (this) {
                    case OURS_STOPS_CHARGED, OURS_STOPS_WEIGHED ->
                        new Costs(
                                RESTART_SECONDS,
                                CHECKPOINT_SECONDS,
                                RESTART_SECONDS,
                                crossing,
                                this == OURS_STOPS_WEIGHED);
                    default -> new Costs(0, 0, 0, crossing);
                };
        return new SimulationOptions(
                compat, where, preempts, false, measured, ROUND_MS, FIRST_BY_THE_TRACE, costs, Allocations.WITH_PARTS);
    }
}
