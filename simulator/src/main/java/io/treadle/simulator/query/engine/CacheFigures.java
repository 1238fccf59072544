// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

/** How often models were there when tasks started, over time. */
public final class CacheFigures {
    private final FoldingSeries looked = new FoldingSeries();
    private final FoldingSeries missed = new FoldingSeries();

    void looked(double nowMs, int needed, int missing) {
        looked.add(nowMs, needed);
        // Both go equally far, so that stretches of one are stretches of the other.
        missed.add(nowMs, missing);
    }

    public FoldingSeries looked() {
        return looked;
    }

    public FoldingSeries missed() {
        return missed;
    }
}
