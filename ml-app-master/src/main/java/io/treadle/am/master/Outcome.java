// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.List;

/**
 * How a job ended.
 *
 * @param diagnostics for people; empty on success
 */
record Outcome(boolean succeeded, String diagnostics) {
    /** @param stderrTail last lines of the failed worker's stderr; may be empty */
    static Outcome failure(String reason, List<String> stderrTail) {
        String tail = stderrTail.isEmpty() ? "" : "\nIts stderr ends with:\n" + String.join("\n", stderrTail);
        return new Outcome(false, reason + tail);
    }
}
