// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

import java.util.BitSet;

/**
 * What is put into a knapsack.
 *
 * @param items their places
 * @param value what they are worth
 * @param bound no choice is worth more
 * @param finished whether the search came to its end; if not, its steps were used up and this is the best so far
 */
public record Packed(BitSet items, double value, double bound, boolean finished) {
    public Packed {
        items = (BitSet) items.clone();
    }

    @Override
    public BitSet items() {
        return (BitSet) items.clone();
    }

    public boolean contains(int item) {
        return items.get(item);
    }

    /** How much of the bound is missed at most, from 0 to 1. */
    public double gap() {
        return bound <= 0 ? 0 : Math.max(0, 1 - value / bound);
    }
}
