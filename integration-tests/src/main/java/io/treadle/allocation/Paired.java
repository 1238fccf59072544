// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Windows of both schedulers.
 *
 * @param asynchronous how both scheduled
 * @param nodes of the cluster
 * @param work what ran beside the counted containers
 * @param turns of each pair of processes
 */
record Paired(boolean asynchronous, int nodes, Work work, List<Turns> turns) {
    static final String WINDOW_COLUMNS =
            "work,nodes,asynchronous,processes,scheduler,window,containersPerSecond,heartbeatP99Micros";

    Paired {
        turns = List.copyOf(turns);
    }

    /**
     * What two processes have measured in turn: each has stood still for as long as the other when its turn comes. A window that
     * comes at once after one of the same process is a tenth faster; where the first of each pair changed, the median of an odd
     * number of pairs took that for the scheduler's.
     *
     * @param stock answers of CapacityScheduler: as many as of ours where the parts of a window were taken in turn, and one more
     *     where whole windows were
     * @param ours answers of TreadleScheduler; a whole window is compared with the mean of stock's before and after it: what the
     *     machine gains or loses meanwhile is in both
     */
    record Turns(List<Answer> stock, List<Answer> ours) {
        Turns {
            stock = List.copyOf(stock);
            ours = List.copyOf(ours);
        }

        /** Ours over stock's, window by window. */
        List<Double> ratios(ToDoubleFunction<Answer> figure) {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < ours.size(); i++) {
                double beside = figure.applyAsDouble(stock.get(i));
                if (stock.size() > ours.size()) {
                    beside = (beside + figure.applyAsDouble(stock.get(i + 1))) / 2;
                }
                ratios.add(figure.applyAsDouble(ours.get(i)) / beside);
            }
            return ratios;
        }
    }

    /** What runs beside plain applications. */
    enum Work {
        /** Nothing. */
        IDLE("idle", "no job"),
        /** Gangs that fill all GPUs and four times as many that wait; under stock applications of those that run. */
        BUSY("busy", "jobs that run and wait, on stock those that run"),
        /** The same gangs; under stock as many plain applications that ask for the same. */
        SAME("same", "jobs that run and wait, on stock as plain applications"),
        /** CapacityScheduler beside itself: in the place of ours it knows GPUs, else memory and vcores alone. */
        GPU("gpu", "no job, and no Treadle: CapacityScheduler with yarn.io/gpu, and without"),
        /** The same with all types of resources that Treadle can use. */
        TYPES(
                "types",
                "no job, and no Treadle: CapacityScheduler with all of Treadle's types of resources, and without");

        private final String title;
        private final String explained;

        Work(String title, String explained) {
            this.title = title;
            this.explained = explained;
        }

        /** Nothing is done every few seconds. */
        boolean isWithoutJobs() {
            return this == IDLE || isOfTypes();
        }

        /** What types of resources cost CapacityScheduler. */
        boolean isOfTypes() {
            return this == GPU || this == TYPES;
        }

        String title() {
            return title;
        }

        String explained() {
            return explained;
        }
    }

    /** Medians and the middle half of a figure. */
    record Spread(double low, double median, double high) {
        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
        }

        /** Between the two values nearest to it. */
        private static double quantile(List<Double> sorted, double part) {
            double place = part * (sorted.size() - 1);
            int below = (int) place;
            int above = Math.min(below + 1, sorted.size() - 1);
            return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
        }
    }

    String name() {
        return work.title() + " of " + nodes + " nodes, " + (asynchronous ? "asynchronous" : "by heartbeats");
    }

    /** Ours over stock's of each window: above 1 where ours allocates more. */
    Spread allocations() {
        return Spread.of(ratios(Answer::perSecond));
    }

    /** Ours over stock's containers a second of all windows as one: a round of the planner in few windows counts in it, too. */
    double together() {
        return seconds(stock()) / seconds(ours());
    }

    /** For a container, the mean of all windows. */
    private static double seconds(List<Answer> windows) {
        return windows.stream()
                .mapToDouble(window -> 1 / window.perSecond())
                .average()
                .orElse(0);
    }

    /** Ours over stock's of each window: above 1 where ours is slower. */
    Spread heartbeats() {
        return Spread.of(ratios(Answer::heartbeat));
    }

    /** The medians of the windows of each pair of processes, the lowest first. */
    List<Double> ofProcesses() {
        return turns.stream()
                .map(each -> Spread.of(each.ratios(Answer::perSecond)).median())
                .sorted()
                .toList();
    }

    Spread ofStock(ToDoubleFunction<Answer> figure) {
        return Spread.of(stock().stream().map(figure::applyAsDouble).toList());
    }

    Spread ofOurs(ToDoubleFunction<Answer> figure) {
        return Spread.of(ours().stream().map(figure::applyAsDouble).toList());
    }

    List<Answer> ours() {
        return turns.stream().flatMap(each -> each.ours().stream()).toList();
    }

    /** A line for each window, as {@link #WINDOW_COLUMNS} has them. */
    List<String> windows() {
        List<String> lines = new ArrayList<>();
        for (int pair = 0; pair < turns.size(); pair++) {
            addWindows(lines, pair, "stock", turns.get(pair).stock());
            addWindows(lines, pair, "ours", turns.get(pair).ours());
        }
        return lines;
    }

    private void addWindows(List<String> lines, int pair, String scheduler, List<Answer> windows) {
        for (int i = 0; i < windows.size(); i++) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%b,%d,%s,%d,%.1f,%.1f",
                    work.title(),
                    nodes,
                    asynchronous,
                    pair + 1,
                    scheduler,
                    i + 1,
                    windows.get(i).perSecond(),
                    windows.get(i).heartbeat()));
        }
    }

    private List<Answer> stock() {
        return turns.stream().flatMap(each -> each.stock().stream()).toList();
    }

    /** Ours over stock's, window by window. */
    List<Double> ratios(ToDoubleFunction<Answer> figure) {
        return turns.stream().flatMap(each -> each.ratios(figure).stream()).toList();
    }
}
