// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import java.util.List;

/**
 * How an application ended.
 *
 * @param diagnostics for people; empty on success
 */
public record Outcome(boolean succeeded, String diagnostics) {
    /** @param stderrTail last lines of the failed worker's stderr; may be empty */
    public static Outcome failure(String reason, List<String> stderrTail) {
        String tail = stderrTail.isEmpty() ? "" : "\nIts stderr ends with:\n" + String.join("\n", stderrTail);
        return new Outcome(false, reason + tail);
    }
}
