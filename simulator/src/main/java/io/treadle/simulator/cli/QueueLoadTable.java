// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.QueueLoads;
import java.util.List;
import java.util.Locale;

/** What a trace asks of queues with capacities, a line each. */
final class QueueLoadTable {
    private QueueLoadTable() {}

    static String of(List<QueueLoads.Of> loads) {
        StringBuilder text = new StringBuilder();
        for (QueueLoads.Of one : loads) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %-24s %,6d GPUs sure, %,6d at most  %,8d jobs  %s%n",
                    one.path(),
                    one.gpus(),
                    one.most(),
                    one.jobs(),
                    Double.isInfinite(one.load()) || one.load() == 0
                            ? ""
                            : String.format(Locale.ROOT, "demand is %.0f %% of its guarantee", 100 * one.load())));
        }
        return text.toString();
    }
}
