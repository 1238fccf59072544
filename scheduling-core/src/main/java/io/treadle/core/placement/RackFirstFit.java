// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * The first nodes of the first rack that takes the whole job; where the racks before it take it together, the first nodes
 * of all of them.
 */
public final class RackFirstFit extends RackWise {
    @Override
    public String name() {
        return "first-fit";
    }

    @Override
    List<Integer> choose(List<Rack> fitting, int count, Ledger ledger) {
        List<Integer> together = new ArrayList<>();
        for (Rack rack : fitting) {
            if (rack.nodes().size() >= count) {
                return rack.nodes().subList(0, count);
            }
            together.addAll(rack.nodes());
            if (together.size() >= count) {
                return together.subList(0, count);
            }
        }
        return together;
    }
}
