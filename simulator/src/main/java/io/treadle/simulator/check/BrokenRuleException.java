// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import java.util.Locale;

/** A run did what no cluster can do, or let a job wait for nothing: a defect of the simulator or of its policy. */
public final class BrokenRuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenRuleException(long nowMs, String message) {
        super(String.format(Locale.ROOT, "at %.3f s: %s.", nowMs / 1000.0, message));
    }
}
