// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job loses of its work when it is stopped.
 *
 * @param restartSeconds what it does before it goes on with its work when it starts again, s at its share: loading,
 *     warming up
 * @param checkpointSeconds how long it works from checkpoint to checkpoint, s; it falls back to the last one. 0 where it
 *     loses nothing of what it has done
 */
public record Costs(double restartSeconds, double checkpointSeconds) {
    public static final Costs NONE = new Costs(0, 0);

    /** What differs from nothing, as people would write it. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        word(words, "--restart-seconds", restartSeconds);
        word(words, "--checkpoint-seconds", checkpointSeconds);
        return words;
    }

    private static void word(List<String> words, String option, double value) {
        if (value > 0) {
            words.add(option + " "
                    + new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString());
        }
    }
}
