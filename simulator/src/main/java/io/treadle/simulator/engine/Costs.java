// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.Overheads;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job loses of its work when it is stopped or moved, or its tasks are far from each other.
 *
 * @param restartSeconds what it does before it goes on with its work when it starts again, s at its share: loading,
 *     warming up
 * @param checkpointSeconds how long it works from checkpoint to checkpoint, s; it falls back to the last one. 0 where it
 *     loses nothing of what it has done
 * @param migrationSeconds what it does before it goes on with its work when it has moved, s at its share; it loses nothing
 *     of what it has done
 * @param crossing how much longer it runs on several nodes or racks
 * @param weighed whether policies know what stops and moves cost; to see what that is worth
 */
public record Costs(
        double restartSeconds, double checkpointSeconds, double migrationSeconds, Crossing crossing, boolean weighed) {
    public static final Costs NONE = new Costs(0, 0, 0);

    public Costs(double restartSeconds, double checkpointSeconds, double migrationSeconds, Crossing crossing) {
        this(restartSeconds, checkpointSeconds, migrationSeconds, crossing, true);
    }

    /** Where the network costs nothing. */
    public Costs(double restartSeconds, double checkpointSeconds, double migrationSeconds) {
        this(restartSeconds, checkpointSeconds, migrationSeconds, Crossing.NONE);
    }

    /** As policies weigh them: on average a job is stopped half-way between two checkpoints. */
    Overheads overheads() {
        return weighed
                ? new Overheads(crossing, restartSeconds + checkpointSeconds / 2, migrationSeconds)
                : new Overheads(crossing, 0, 0);
    }

    /** What differs from nothing, as people would write it. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (restartSeconds > 0) {
            words.add("--restart-seconds " + text(restartSeconds));
        }
        if (checkpointSeconds > 0) {
            words.add("--checkpoint-seconds " + text(checkpointSeconds));
        }
        if (migrationSeconds != restartSeconds) {
            words.add("--migration-seconds " + text(migrationSeconds));
        }
        if (!crossing.isNone()) {
            words.add("--crossing-penalty " + crossing);
        }
        return words;
    }

    private static String text(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }
}
