// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.power.BudgetState;

/** An energy budget in a sentence. */
final class BudgetText {
    private BudgetText() {}

    /** What it is, what was used of it, until when, and what that comes to now. */
    static String of(BudgetState state) {
        StringBuilder text = new StringBuilder(state.budget().words());
        if (!Double.isInfinite(state.allowedJoules())) {
            text.append(", ").append(JobText.energy(state.usedJoules())).append(" used");
        }
        state.windowEndMs().ifPresent(end -> text.append(", until ").append(JobText.time(end)));
        if (!Double.isInfinite(state.limitWatts())) {
            text.append(", ").append(JobText.watts(state.limitWatts())).append(" now");
        }
        return text.toString();
    }
}
