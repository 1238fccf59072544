// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.core.wire.ProgressLine;

/** The batch that a worker trains with, by its progress lines: a smaller one at the end of an epoch is not taken for another. */
final class BatchTail {
    /** Of lines in a row, before another batch is believed that no command has asked for. */
    private static final int STEADY_LINES = 3;
    /** Of a reason, in characters: it is shown to people. */
    private static final int MOST_REASON = 200;

    private long size;
    private long passes;
    private String refused = "";
    private long otherSize;
    private int otherLines;

    void take(ProgressLine line) {
        boolean answer = line.commandEpoch().isPresent();
        if (answer) {
            String reason = line.refused().orElse("");
            refused = reason.substring(0, Math.min(MOST_REASON, reason.length()));
        }
        if (line.batchSize().isEmpty()) {
            return;
        }
        long said = line.batchSize().getAsLong();
        otherLines = said == otherSize ? otherLines + 1 : 1;
        otherSize = said;
        if (answer || size == 0 || said == size || otherLines >= STEADY_LINES) {
            size = said;
            passes = line.passes().orElse(passes);
        }
    }

    /** Samples of a gradient pass; 0 where unknown. */
    long size() {
        return size;
    }

    /** Gradient passes of a step; 0 where the worker does not say. */
    long passes() {
        return passes;
    }

    /** Why the command that was answered last is not obeyed; empty where it is. */
    String refused() {
        return refused;
    }
}
