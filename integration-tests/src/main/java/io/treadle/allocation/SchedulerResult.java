// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import io.treadle.allocation.Paired.Spread;
import io.treadle.allocation.Paired.Work;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the scheduler costs.
 *
 * @param machine where
 * @param containers of a window
 * @param pairs of windows
 * @param heaps by sizes of the cluster
 * @param holds of the lock by gangs
 * @param once what is done at once under the lock
 * @param pages of ours, read while 1,000 jobs are there
 */
record SchedulerResult(
        Machine machine,
        int containers,
        List<Paired> pairs,
        List<Heap> heaps,
        List<Holds> holds,
        List<Once> once,
        List<Page> pages) {
    /** Of stock's allocations a second, with no job and with 1,000. */
    static final double IDLE_GOAL = 0.98;

    static final double BUSY_GOAL = 0.90;
    /** Of stock's heartbeat. */
    static final double HEARTBEAT_GOAL = 1.1;

    /** Of each page, with 10,000 nodes and 1,000 jobs too. */
    static final double PAGE_MS_GOAL = 300;

    static final double PAGE_BYTES_GOAL = 2_000_000;

    private static final double KIB = 1024;

    SchedulerResult {
        pairs = List.copyOf(pairs);
        heaps = List.copyOf(heaps);
        holds = List.copyOf(holds);
        once = List.copyOf(once);
        pages = List.copyOf(pages);
    }

    /**
     * Heap in use after collections, bytes.
     *
     * @param stockNode of stock, for each node, all else included
     * @param node that ours has more, for each node
     * @param stockJob of stock, for each plain application in the place of a job; a fifth of them run
     * @param job that ours has more, for each job
     */
    record Heap(int nodes, double stockNode, double node, double stockJob, double job) {
        /** @param idle of stock and of ours without a job; {@code same} with jobs */
        static Heap of(int nodes, int jobs, long[] idle, long[] same) {
            double stockJob = (same[0] - idle[0]) / (double) jobs;
            return new Heap(
                    nodes,
                    idle[0] / (double) nodes,
                    (idle[1] - idle[0]) / (double) nodes,
                    stockJob,
                    (same[1] - idle[1]) / (double) jobs - stockJob);
        }
    }

    /**
     * How gangs hold the scheduler's write lock.
     *
     * @param longest of each gang, µs
     */
    record Holds(int nodes, boolean asynchronous, int members, Spread longest) {
        static Holds of(int nodes, boolean asynchronous, int members, List<Answer> answers) {
            return new Holds(
                    nodes,
                    asynchronous,
                    members,
                    Spread.of(answers.stream().map(Answer::longestHold).toList()));
        }
    }

    /**
     * How long something holds the scheduler's write lock, ms.
     *
     * @param what in words
     */
    record Once(String what, int nodes, Work work, Spread stock, Spread ours) {}

    /**
     * A page of Treadle's.
     *
     * @param name its path
     * @param millis until it was read whole, ms
     */
    record Page(String name, int nodes, int jobs, Spread millis, long bytes) {}

    /** Goals that were missed, in words; those of the work that stock has too are none. */
    List<String> missed() {
        List<String> missed = new ArrayList<>();
        for (Paired pair : pairs) {
            double goal = goal(pair.work());
            if (pair.allocations().median() < goal) {
                missed.add(String.format(
                        Locale.ROOT,
                        "%s: %.3f of stock's allocations, must be %.2f",
                        pair.name(),
                        pair.allocations().median(),
                        goal));
            }
            // A median does not see a round of the planner in every third window; without jobs there is none.
            if (!pair.work().isWithoutJobs() && pair.together() < goal) {
                missed.add(String.format(
                        Locale.ROOT,
                        "%s: %.3f of stock's allocations in all windows together, must be %.2f",
                        pair.name(),
                        pair.together(),
                        goal));
            }
            if (goal > 0 && pair.heartbeats().median() > HEARTBEAT_GOAL) {
                missed.add(String.format(
                        Locale.ROOT,
                        "%s: %.2f of stock's heartbeat, must be %.1f",
                        pair.name(),
                        pair.heartbeats().median(),
                        HEARTBEAT_GOAL));
            }
        }
        for (Page page : pages) {
            if (page.millis().median() > PAGE_MS_GOAL || page.bytes() > PAGE_BYTES_GOAL) {
                missed.add(String.format(
                        Locale.ROOT,
                        "page %s of %,d nodes: %.0f ms and %,.0f KiB, must be at most %.0f ms and %,.0f KiB",
                        page.name(),
                        page.nodes(),
                        page.millis().median(),
                        page.bytes() / KIB,
                        PAGE_MS_GOAL,
                        PAGE_BYTES_GOAL / KIB));
            }
        }
        return missed;
    }

    private static double goal(Work work) {
        return work == Work.IDLE ? IDLE_GOAL : work == Work.BUSY ? BUSY_GOAL : 0;
    }

    /** For {@code summary.json}: {@code idle} and {@code busy} are the lowest of their rows, which follow. */
    List<Compared> compared() {
        List<Compared> rows = new ArrayList<>();
        for (Work work : Work.values()) {
            pairs.stream()
                    .filter(pair -> pair.work() == work)
                    .map(pair -> allocations(pair, pair.name()))
                    .min((a, b) -> Double.compare(a.ratio(), b.ratio()))
                    .ifPresent(least -> rows.add(
                            new Compared(work.title(), least.ours(), least.theirs(), least.ratio(), least.unit())));
        }
        pairs.forEach(pair -> rows.add(allocations(pair, pair.name())));
        pairs.forEach(pair -> rows.add(new Compared(
                pair.name() + ", heartbeat p99",
                pair.ofOurs(Answer::heartbeat).median(),
                pair.ofStock(Answer::heartbeat).median(),
                1 / pair.heartbeats().median(),
                "µs")));
        return rows;
    }

    /** For {@code windows.csv}: what each window came to. */
    String windowsCsv() {
        return Stream.concat(Stream.of(Paired.WINDOW_COLUMNS), pairs.stream().flatMap(pair -> pair.windows().stream()))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static Compared allocations(Paired pair, String name) {
        return new Compared(
                name,
                pair.ofOurs(Answer::perSecond).median(),
                pair.ofStock(Answer::perSecond).median(),
                pair.allocations().median(),
                "containers a second");
    }

    List<List<String>> allocationRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "containers a second",
                "nodes",
                "scheduling",
                "stock",
                "ours",
                "ratio",
                "middle half",
                "all together",
                "by pairs of processes"));
        for (Paired pair : pairs) {
            List<String> row = new ArrayList<>(row(
                    pair,
                    Answer::perSecond,
                    pair.allocations(),
                    number -> String.format(Locale.ROOT, "%,.0f", number)));
            row.add(ratio(pair.together()));
            row.add(pair.ofProcesses().stream().map(SchedulerResult::ratio).collect(Collectors.joining(", ")));
            rows.add(row);
        }
        return rows;
    }

    List<List<String>> heartbeatRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("heartbeat, p99", "nodes", "scheduling", "stock", "ours", "ratio", "middle half"));
        pairs.forEach(pair -> rows.add(row(pair, Answer::heartbeat, pair.heartbeats(), SchedulerResult::micros)));
        return rows;
    }

    private static List<String> row(
            Paired pair, ToDoubleFunction<Answer> figure, Spread ratios, DoubleFunction<String> text) {
        return List.of(
                pair.work().title() + ": " + pair.work().explained(),
                String.format(Locale.ROOT, "%,d", pair.nodes()),
                pair.asynchronous() ? "asynchronous" : "by heartbeats",
                text.apply(pair.ofStock(figure).median()),
                text.apply(pair.ofOurs(figure).median()),
                ratio(ratios.median()),
                ratio(ratios.low()) + " to " + ratio(ratios.high()));
    }

    List<List<String>> holdRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("gang of", "nodes", "scheduling", "longest hold, median", "middle half"));
        for (Holds hold : holds) {
            rows.add(List.of(
                    hold.members() + " tasks",
                    String.format(Locale.ROOT, "%,d", hold.nodes()),
                    hold.asynchronous() ? "asynchronous" : "by heartbeats",
                    micros(hold.longest().median()),
                    micros(hold.longest().low()) + " to "
                            + micros(hold.longest().high())));
        }
        return rows;
    }

    List<List<String>> onceRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("at once", "nodes", "beside", "stock", "ours", "middle half of ours"));
        for (Once each : once) {
            rows.add(List.of(
                    each.what(),
                    String.format(Locale.ROOT, "%,d", each.nodes()),
                    each.work().title(),
                    millis(each.stock().median()),
                    millis(each.ours().median()),
                    millis(each.ours().low()) + " to " + millis(each.ours().high())));
        }
        return rows;
    }

    List<List<String>> pageRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("page", "nodes", "jobs", "read in", "middle half", "KiB"));
        for (Page page : pages) {
            rows.add(List.of(
                    page.name(),
                    String.format(Locale.ROOT, "%,d", page.nodes()),
                    String.format(Locale.ROOT, "%,d", page.jobs()),
                    millis(page.millis().median()),
                    millis(page.millis().low()) + " to " + millis(page.millis().high()),
                    String.format(Locale.ROOT, "%,.0f", page.bytes() / KIB)));
        }
        return rows;
    }

    /** Rounds of the planner while plain applications are served. */
    List<List<String>> roundRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("rounds of the planner", "nodes", "scheduling", "round", "of it, the snapshot"));
        pairs.stream()
                .filter(pair -> !pair.work().isWithoutJobs())
                .forEach(pair -> rows.add(List.of(
                        pair.work().title() + ": " + pair.work().explained(),
                        String.format(Locale.ROOT, "%,d", pair.nodes()),
                        pair.asynchronous() ? "asynchronous" : "by heartbeats",
                        millis(pair.ofOurs(Answer::round).median()),
                        millis(pair.ofOurs(Answer::snapshot).median()))));
        return rows;
    }

    List<List<String>> heapRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "heap", "stock, KiB a node", "ours more, KiB a node", "stock, KiB a job", "ours more, KiB a job"));
        for (Heap heap : heaps) {
            rows.add(List.of(
                    String.format(Locale.ROOT, "%,d nodes", heap.nodes()),
                    kib(heap.stockNode()),
                    kib(heap.node()),
                    kib(heap.stockJob()),
                    kib(heap.job())));
        }
        return rows;
    }

    String explained() {
        return String.format(
                Locale.ROOT,
                "Medians of %s windows of %,d containers, by processes that take turns: by parts of each window without jobs, else"
                        + " each window of ours beside the two of stock before and after it. Nodes beat as fast as they are served, and once a second with asynchronous"
                        + " scheduling. On %s.",
                pairs.stream()
                        .map(pair -> String.valueOf(pair.ours().size()))
                        .distinct()
                        .collect(Collectors.joining(" or ")),
                containers,
                machine.inWords());
    }

    private static String ratio(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }

    private static String micros(double micros) {
        return String.format(Locale.ROOT, "%,.0f µs", micros);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%,.1f ms", millis);
    }

    private static String kib(double bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / KIB);
    }
}
