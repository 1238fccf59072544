// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Racks with most nodes in use first, those that do not take the job too; in a rack, nodes with fewest free GPUs first. */
public final class RackBestFit extends RackWise {
    @Override
    public String name() {
        return "best-fit";
    }

    @Override
    List<Integer> choose(List<Rack> fitting, int count, Ledger ledger) {
        List<Rack> racks = new ArrayList<>(fitting);
        racks.sort(Comparator.comparingLong(rack -> -ledger.nodesInUse(rack.index())));
        List<Integer> chosen = new ArrayList<>(count);
        for (Rack rack : racks) {
            rack.nodes().stream()
                    .sorted(Comparator.comparingLong(node -> ledger.free(node).gpus()))
                    .limit(count - chosen.size())
                    .forEach(chosen::add);
        }
        return chosen;
    }
}
