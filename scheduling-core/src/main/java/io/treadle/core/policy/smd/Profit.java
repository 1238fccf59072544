// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;

/** What it brings that a job is admitted at a size. */
@FunctionalInterface
interface Profit {
    /** As published: what its end is worth. */
    Profit WORTH = Worth::at;

    /**
     * Ours: what an hour in which it runs brings. Jobs that take long, or that lose nothing by waiting, hold room that others
     * could use in turn.
     */
    Profit AN_HOUR = Worth::anHour;

    double of(Worth worth, PsSize size);
}
