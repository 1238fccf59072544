// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.cluster.CapacitySplit;
import io.treadle.simulator.trace.Workload;

/** The same jobs on the same nodes, with other capacities of the queues below one. */
record CapacitySizing(Workload own, CapacitySplit split, Shares now) implements Sizing {
    @Override
    public String name() {
        return "capacities-" + split.parent().path();
    }

    @Override
    public Workload on(Candidate candidate) {
        if (candidate.shares().equals(now)) {
            return own;
        }
        return new Workload(
                split.with(candidate.shares().queues().stream()
                        .map(share -> (int) Math.rint(share.percent()))
                        .toList()),
                own.jobs(),
                own.usual());
    }
}
