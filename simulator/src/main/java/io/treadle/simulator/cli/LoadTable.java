// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.ModelLoad;
import io.treadle.simulator.engine.OfferedLoad;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

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
            rows(text, partitions, one -> row(one.partition(), one.gpus(), one.jobs(), percent(one.load())));
        }
        rows(
                text,
                load.models().stream()
                        .sorted(Comparator.comparingDouble((ModelLoad one) -> one.load() + one.open())
                                .reversed())
                        .toList(),
                one -> row(one.models(), one.gpus(), one.jobs(), percent(one)));
        return text.toString();
    }

    private static <T> void rows(StringBuilder text, List<T> all, Function<T, String> row) {
        all.stream().limit(MOST_ROWS).map(row).forEach(text::append);
        if (all.size() > MOST_ROWS) {
            text.append(String.format(Locale.ROOT, "%n  and %d more", all.size() - MOST_ROWS));
        }
    }

    private static String row(String name, long gpus, int jobs, String load) {
        return String.format(Locale.ROOT, "%n  %-16s %,6d GPUs  %,8d jobs  %s", name, gpus, jobs, load);
    }

    /** Of jobs that name these models of GPUs. */
    private static String percent(ModelLoad load) {
        if (load.gpus() == 0) {
            return "the cluster has no such GPU";
        }
        if (load.open() == 0) {
            return percent(load.load());
        }
        String open = String.format(Locale.ROOT, "jobs that never end ask for %.0f %% of them", 100 * load.open());
        return load.load() == 0 ? open : percent(load.load()) + ", " + open;
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
