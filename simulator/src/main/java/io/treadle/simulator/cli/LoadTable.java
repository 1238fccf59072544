// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.OfferedLoad;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What a trace asks of the cluster, before anything runs. */
final class LoadTable {
    private static final int MOST_ROWS = 12;

    private LoadTable() {}

    static String of(OfferedLoad load) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "offered load: %s", percent(load.total())));
        List<OfferedLoad.Of> partitions = load.partitions().stream()
                .sorted(Comparator.comparingDouble(OfferedLoad.Of::load).reversed())
                .toList();
        if (partitions.size() > 1) {
            for (OfferedLoad.Of one : partitions.subList(0, Math.min(MOST_ROWS, partitions.size()))) {
                text.append(String.format(
                        Locale.ROOT,
                        "%n  %-16s %,6d GPUs  %,8d jobs  %s",
                        one.partition(),
                        one.gpus(),
                        one.jobs(),
                        percent(one.load())));
            }
            if (partitions.size() > MOST_ROWS) {
                text.append(String.format(Locale.ROOT, "%n  and %d more", partitions.size() - MOST_ROWS));
            }
        }
        return text.toString();
    }

    private static String percent(double load) {
        if (load == 0) {
            return "no job of it ends";
        }
        if (Double.isInfinite(load)) {
            return "all jobs come at once";
        }
        return String.format(
                Locale.ROOT, "demand is %.0f %% of the GPU time%s", 100 * load, load > 1 ? ", more than there is" : "");
    }
}
