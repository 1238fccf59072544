// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import io.treadle.allocation.Paired.Turns;
import io.treadle.allocation.Paired.Work;
import io.treadle.simulator.bench.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Measures a process with stock's scheduler and one with ours in turn: while anything is timed only one of them works. */
final class SchedulerBench {
    private static final int APPLICATIONS = 200;
    /** Of those that run: 1,000 where 200 do. */
    private static final int GANGS_EACH = 5;

    private static final List<Integer> MEMBERS = List.of(8, 512);
    private static final int CONTAINERS_A_NODE = 20;
    private static final int GANG_ROUNDS = 7;
    private static final int TIMES = 9;
    /** Containers of a node that is recovered. */
    private static final List<Integer> RECOVERED = List.of(8, 200);

    /** Windows of a new ResourceManager that are not counted: its code is not compiled yet. */
    private static final int WARM_UP = 10;

    private static final int TIMES_IDLE = 3;
    /**
     * Pairs of processes of {@code idle}: two processes of one program differ by some percent for as long as they live, by what
     * their compilers and their memory came to.
     */
    private static final int PROCESSES = 5;
    /** Of a window of {@code idle}. */
    private static final int PARTS = 20;
    /** What is done at once is small, and compiled soon. */
    private static final int UNTIMED = 4;

    private final SchedulerOptions options;
    private final int containers;
    private final Consumer<String> progress;
    private final List<Paired> pairs = new ArrayList<>();
    private final List<SchedulerResult.Heap> heaps = new ArrayList<>();
    private final List<SchedulerResult.Holds> holds = new ArrayList<>();
    private final List<SchedulerResult.Once> once = new ArrayList<>();

    /**
     * @param containers of a window, at most
     * @param progress told what is done next
     */
    SchedulerBench(SchedulerOptions options, int containers, Consumer<String> progress) {
        this.options = options;
        this.containers = containers;
        this.progress = progress;
    }

    SchedulerResult run() {
        Machine machine = Machine.here();
        for (int nodes : options.nodes()) {
            for (boolean asynchronous : new boolean[] {false, true}) {
                long[][] heap = new long[Work.values().length][];
                for (Work work : Work.values()) {
                    heap[work.ordinal()] = measure(nodes, asynchronous, work);
                }
                if (!asynchronous) {
                    heaps.add(SchedulerResult.Heap.of(
                            nodes,
                            GANGS_EACH * BenchCluster.gpuNodes(nodes),
                            heap[Work.IDLE.ordinal()],
                            heap[Work.SAME.ordinal()]));
                }
            }
        }
        return new SchedulerResult(machine, containers, pairs, heaps, holds, once);
    }

    /** @return heap in use of stock and of ours, bytes */
    private long[] measure(int nodes, boolean asynchronous, Work work) {
        int all = GANGS_EACH * BenchCluster.gpuNodes(nodes);
        int ofOurScheduler = work == Work.IDLE ? 0 : all;
        int ofStocks = work == Work.BUSY ? BenchCluster.gpuNodes(nodes) : ofOurScheduler;
        Setting ours = new Setting(true, asynchronous, nodes, APPLICATIONS, ofOurScheduler);
        Setting stock = new Setting(false, asynchronous, nodes, APPLICATIONS, ofStocks);
        List<Turns> turns = new ArrayList<>();
        long[] heap = {};
        for (int i = work == Work.IDLE ? processes() : 1; i > 0; i--) {
            heap = measure(stock, ours, work, turns, i == 1);
        }
        Paired pair = new Paired(asynchronous, nodes, work, turns);
        pairs.add(pair);
        say(
                nodes,
                asynchronous,
                work,
                String.format(
                        Locale.ROOT,
                        "%.3f of stock's allocations, %.3f of its heartbeat",
                        pair.allocations().median(),
                        pair.heartbeats().median()));
        return heap;
    }

    /**
     * Two new processes.
     *
     * @param turns gets what they have measured in turn
     * @param last whether the rest is measured, too
     * @return heap in use of stock and of ours, bytes
     */
    private long[] measure(Setting stock, Setting ours, Work work, List<Turns> turns, boolean last) {
        int nodes = ours.nodes();
        boolean asynchronous = ours.asynchronous();
        Path directory = options.out().resolve("processes");
        try (ManagerChild first = ManagerChild.start(directory.resolve("stock"));
                ManagerChild second = ManagerChild.start(directory.resolve("ours"))) {
            say(nodes, asynchronous, work, "starts");
            // Nothing is timed yet, and a large cluster takes minutes to fill.
            first.order(new Order(Order.Kind.START, stock, 0));
            second.order(new Order(Order.Kind.START, ours, 0));
            first.answer();
            second.answer();
            long[] heap = {
                first.ask(new Order(Order.Kind.HEAP, stock, 0)).heapBytes(),
                second.ask(new Order(Order.Kind.HEAP, ours, 0)).heapBytes()
            };
            turns.add(turns(first, stock, second, ours, work));
            if (last && work == Work.IDLE) {
                for (int members : MEMBERS) {
                    if (members > BenchCluster.GPUS * BenchCluster.gpuNodes(nodes)) {
                        continue;
                    }
                    say(nodes, asynchronous, work, "gangs of " + members);
                    holds.add(holds(second, ours, members));
                }
            }
            if (last && work != Work.BUSY && !asynchronous) {
                say(nodes, asynchronous, work, "queues are refreshed, nodes are recovered");
                once.add(once(work, Order.Kind.REFRESH, 0, first, stock, second, ours));
                for (int count : RECOVERED) {
                    once.add(once(work, Order.Kind.RECOVER, count, first, stock, second, ours));
                }
            }
            return heap;
        }
    }

    /** Pairs of {@code idle}: the figures of a few windows say nothing, and are not worth the time to start so many. */
    private int processes() {
        return Math.min(PROCESSES, options.windows());
    }

    private Turns turns(ManagerChild first, Setting stock, ManagerChild second, Setting ours, Work work) {
        int windows =
                switch (work) {
                    // Its goal is the closest to 1, and its windows are the shortest.
                    case IDLE -> (TIMES_IDLE * options.windows() + processes() - 1) / processes();
                    case BUSY -> options.windows();
                    // There is no goal for it.
                    case SAME -> (options.windows() + 1) / 2;
                };
        // The figures of a few windows say nothing, warm or not.
        int warmUp = Math.min(WARM_UP, windows);
        for (int i = 1; i <= warmUp; i++) {
            say(ours.nodes(), ours.asynchronous(), work, "warms up, " + i + " of " + warmUp);
            first.ask(window(Order.Kind.WARM_UP, stock));
            second.ask(window(Order.Kind.WARM_UP, ours));
        }
        List<Answer> ofStock = new ArrayList<>();
        List<Answer> ofOurs = new ArrayList<>();
        // Asynchronously containers would come between parts, too.
        boolean inParts = work == Work.IDLE && !ours.asynchronous();
        for (int i = 1; i <= windows; i++) {
            say(ours.nodes(), ours.asynchronous(), work, "window " + i + " of " + windows);
            if (inParts) {
                inParts(first, stock, ofStock, second, ours, ofOurs);
            } else {
                ofStock.add(first.ask(window(Order.Kind.WINDOW, stock)));
                ofOurs.add(second.ask(window(Order.Kind.WINDOW, ours)));
            }
        }
        if (!inParts) {
            ofStock.add(first.ask(window(Order.Kind.WINDOW, stock)));
        }
        return new Turns(ofStock, ofOurs);
    }

    /**
     * A window of each, the parts of both in turn: what slows the machine for a second meets both. Nothing may depend on time that
     * goes on while a process stands still, as rounds of the planner do.
     */
    private void inParts(
            ManagerChild first,
            Setting stock,
            List<Answer> ofStock,
            ManagerChild second,
            Setting ours,
            List<Answer> ofOurs) {
        Order whole = window(Order.Kind.OPEN, stock);
        first.ask(whole);
        second.ask(window(Order.Kind.OPEN, ours));
        // The first has stood still while the second began.
        first.ask(new Order(Order.Kind.UNTIMED_PART, stock, whole.count() / PARTS));
        second.ask(new Order(Order.Kind.UNTIMED_PART, ours, whole.count() / PARTS));
        for (int i = 0; i < PARTS; i++) {
            first.ask(new Order(Order.Kind.PART, stock, whole.count() / PARTS));
            second.ask(new Order(Order.Kind.PART, ours, whole.count() / PARTS));
        }
        ofStock.add(first.ask(new Order(Order.Kind.CLOSE, stock, 0)));
        ofOurs.add(second.ask(new Order(Order.Kind.CLOSE, ours, 0)));
    }

    /** What both do at once, in turn. */
    private static SchedulerResult.Once once(
            Work work,
            Order.Kind kind,
            int count,
            ManagerChild first,
            Setting stock,
            ManagerChild second,
            Setting ours) {
        List<Double> ofStock = new ArrayList<>();
        List<Double> ofOurs = new ArrayList<>();
        for (int i = -UNTIMED; i < TIMES; i++) {
            double one = first.ask(new Order(kind, stock, count)).millis();
            double two = second.ask(new Order(kind, ours, count)).millis();
            if (i >= 0) {
                ofStock.add(one);
                ofOurs.add(two);
            }
        }
        String what = count == 0 ? kind.words() : kind.words() + " with " + count + " containers";
        return new SchedulerResult.Once(what, ours.nodes(), work, Paired.Spread.of(ofStock), Paired.Spread.of(ofOurs));
    }

    private Order window(Order.Kind kind, Setting setting) {
        // Few nodes hold fewer.
        return new Order(kind, setting, Math.min(containers, CONTAINERS_A_NODE * setting.nodes()));
    }

    private static SchedulerResult.Holds holds(ManagerChild child, Setting setting, int members) {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < GANG_ROUNDS; i++) {
            answers.add(child.ask(new Order(Order.Kind.GANG, setting, members)));
        }
        return SchedulerResult.Holds.of(
                setting.nodes(), setting.asynchronous(), members, answers.subList(2, answers.size()));
    }

    private void say(int nodes, boolean asynchronous, Work work, String what) {
        progress.accept(new Paired(asynchronous, nodes, work, List.of()).name() + ": " + what);
    }
}
