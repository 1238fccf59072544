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
    /** The same without jobs: it allocates as fast in the fourth as in the tenth. */
    private static final int WARM_UP_IDLE = 4;

    private static final int TIMES_IDLE = 3;
    /**
     * Pairs of processes of {@code idle}: two processes of one program differ by up to five percent for as long as they live, by
     * what their compilers and their memory came to.
     */
    private static final int PROCESSES = 16;
    /** Of {@code gpu} and {@code types}, which differ by more. */
    private static final int PROCESSES_TYPES = 4;
    /** Of a window of {@code idle}. */
    private static final int PARTS = 20;
    /** Asynchronously some hundred containers may come between two parts, and all of a small window. */
    private static final int LEAST_ASYNCHRONOUS_PART = 500;

    private static final int HEAP_MIB = 3072;
    /** A cluster of fewer is for a look: to touch so much memory takes as long as all else. */
    private static final int SMALL_NODES = 400;

    private static final int SMALL_HEAP_MIB = 512;
    /** What is done at once is small, and compiled soon. */
    private static final int UNTIMED = 4;

    private final SchedulerOptions options;
    private final int containers;
    private final Consumer<String> progress;
    private final List<Paired> pairs = new ArrayList<>();
    private final List<SchedulerResult.Heap> heaps = new ArrayList<>();
    private final List<SchedulerResult.Holds> holds = new ArrayList<>();
    private final List<SchedulerResult.Once> once = new ArrayList<>();
    private final List<SchedulerResult.Page> pages = new ArrayList<>();

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
                    if (work.isOfTypes() && asynchronous) {
                        // A size is copied as often.
                        continue;
                    }
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
        return new SchedulerResult(machine, containers, pairs, heaps, holds, once, pages);
    }

    /** @return heap in use of stock and of ours, bytes */
    private long[] measure(int nodes, boolean asynchronous, Work work) {
        int all = GANGS_EACH * BenchCluster.gpuNodes(nodes);
        int ofOurScheduler = work.isWithoutJobs() ? 0 : all;
        int ofStocks = work == Work.BUSY ? BenchCluster.gpuNodes(nodes) : ofOurScheduler;
        int types = BenchSettings.TYPES.size();
        Setting ours = new Setting(
                !work.isOfTypes(), asynchronous, nodes, APPLICATIONS, ofOurScheduler, work == Work.GPU ? 1 : types);
        Setting stock = new Setting(false, asynchronous, nodes, APPLICATIONS, ofStocks, work.isOfTypes() ? 0 : types);
        List<Turns> turns = new ArrayList<>();
        long[] heap = {};
        for (int i = processes(work); i > 0; i--) {
            heap = measure(stock, ours, work, turns, i);
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
     * @param left so many pairs with this one; with the last one the rest is measured, too
     * @return heap in use of stock and of ours, bytes
     */
    private long[] measure(Setting stock, Setting ours, Work work, List<Turns> turns, int left) {
        int nodes = ours.nodes();
        boolean asynchronous = ours.asynchronous();
        // The one that takes its memory first may get better pages.
        boolean isStockFirst = left % 2 == 0;
        try (Side first = start(isStockFirst ? stock : ours);
                Side second = start(isStockFirst ? ours : stock)) {
            say(nodes, asynchronous, work, "starts");
            // Nothing is timed yet, and a large cluster takes minutes to fill.
            first.order(Order.Kind.START);
            second.order(Order.Kind.START);
            first.child().answer();
            second.child().answer();
            Side ofStock = isStockFirst ? first : second;
            Side ofOurs = isStockFirst ? second : first;
            long[] heap = {
                ofStock.ask(Order.Kind.HEAP, 0).heapBytes(),
                ofOurs.ask(Order.Kind.HEAP, 0).heapBytes()
            };
            turns.add(
                    work.isWithoutJobs() && hasParts(ours)
                            ? inParts(isStockFirst, ofStock, ofOurs, work)
                            : inWindows(ofStock, ofOurs, work));
            if (left > 1) {
                return heap;
            }
            if (work == Work.IDLE) {
                for (int members : MEMBERS) {
                    if (members <= BenchCluster.GPUS * BenchCluster.gpuNodes(nodes)) {
                        say(nodes, asynchronous, work, "gangs of " + members);
                        holds.add(holds(ofOurs, members));
                    }
                }
            }
            if ((work == Work.IDLE || work == Work.SAME) && !asynchronous) {
                say(nodes, asynchronous, work, "queues are refreshed, nodes are recovered");
                once.add(once(work, Order.Kind.REFRESH, 0, ofStock, ofOurs));
                for (int count : RECOVERED) {
                    once.add(once(work, Order.Kind.RECOVER, count, ofStock, ofOurs));
                }
            }
            if (work == Work.SAME && !asynchronous) {
                say(nodes, asynchronous, work, Order.Kind.PAGE.words());
                for (int page = 0; page < BenchPages.names(nodes).size(); page++) {
                    pages.add(page(ofOurs, page));
                }
            }
            return heap;
        }
    }

    /** A process, and what it measures. */
    private record Side(ManagerChild child, Setting setting) implements AutoCloseable {
        Answer ask(Order.Kind kind, int count) {
            return child.ask(new Order(kind, setting, count));
        }

        /** Lets it begin; the child's answer has to be waited for. */
        void order(Order.Kind kind) {
            child.order(new Order(kind, setting, 0));
        }

        @Override
        public void close() {
            child.close();
        }
    }

    private Side start(Setting setting) {
        Path directory = options.out().resolve("processes").resolve(setting.treadle() ? "ours" : "stock");
        int heapMiB = setting.nodes() < SMALL_NODES ? SMALL_HEAP_MIB : HEAP_MIB;
        return new Side(ManagerChild.start(directory, heapMiB), setting);
    }

    /** Pairs: the figures of a few windows say nothing, and are not worth the time to start so many. */
    private int processes(Work work) {
        int most = work == Work.IDLE ? PROCESSES : work.isOfTypes() ? PROCESSES_TYPES : 1;
        return Math.min(most, options.windows());
    }

    private int windows(Work work) {
        return switch (work) {
            // Its goal is the closest to 1, and its windows are the shortest.
            case IDLE -> (TIMES_IDLE * options.windows() + processes(work) - 1) / processes(work);
            case BUSY -> options.windows();
            // There is no goal for it.
            case SAME -> (options.windows() + 1) / 2;
            case GPU, TYPES -> (options.windows() + processes(work) - 1) / processes(work);
        };
    }

    private boolean hasParts(Setting setting) {
        return !setting.asynchronous() || counted(setting) / PARTS >= LEAST_ASYNCHRONOUS_PART;
    }

    private void warmUp(Side first, Side second, Work work) {
        // The figures of a few windows say nothing, warm or not.
        int times = Math.min(work.isWithoutJobs() ? WARM_UP_IDLE : WARM_UP, options.windows());
        for (int i = 1; i <= times; i++) {
            say(first.setting(), work, "warms up, " + i + " of " + times);
            first.ask(Order.Kind.WARM_UP, counted(first.setting()));
            second.ask(Order.Kind.WARM_UP, counted(second.setting()));
        }
    }

    private Turns inWindows(Side stock, Side ours, Work work) {
        warmUp(stock, ours, work);
        int windows = windows(work);
        List<Answer> ofStock = new ArrayList<>();
        List<Answer> ofOurs = new ArrayList<>();
        for (int i = 1; i <= windows; i++) {
            say(ours.setting(), work, "window " + i + " of " + windows);
            ofStock.add(stock.ask(Order.Kind.WINDOW, counted(stock.setting())));
            ofOurs.add(ours.ask(Order.Kind.WINDOW, counted(ours.setting())));
        }
        ofStock.add(stock.ask(Order.Kind.WINDOW, counted(stock.setting())));
        return new Turns(ofStock, ofOurs);
    }

    /**
     * Windows of both, their parts in turn: what slows the machine for a second meets both. Nothing may depend on time that
     * goes on while a process stands still, as rounds of the planner do. Of what comes asynchronously between parts nothing is counted.
     */
    private Turns inParts(boolean isStockFirst, Side stock, Side ours, Work work) {
        Side first = isStockFirst ? stock : ours;
        Side second = isStockFirst ? ours : stock;
        warmUp(first, second, work);
        int windows = windows(work);
        List<Answer> ofFirst = new ArrayList<>();
        List<Answer> ofSecond = new ArrayList<>();
        for (int i = 1; i <= windows; i++) {
            say(ours.setting(), work, "window " + i + " of " + windows);
            int count = counted(first.setting());
            first.ask(Order.Kind.OPEN, count);
            second.ask(Order.Kind.OPEN, count);
            // The first has stood still while the second began.
            first.ask(Order.Kind.UNTIMED_PART, count / PARTS);
            second.ask(Order.Kind.UNTIMED_PART, count / PARTS);
            for (int part = 0; part < PARTS; part++) {
                first.ask(Order.Kind.PART, count / PARTS);
                second.ask(Order.Kind.PART, count / PARTS);
            }
            ofFirst.add(first.ask(Order.Kind.CLOSE, 0));
            ofSecond.add(second.ask(Order.Kind.CLOSE, 0));
        }
        return isStockFirst ? new Turns(ofFirst, ofSecond) : new Turns(ofSecond, ofFirst);
    }

    /** What both do at once, in turn. */
    private static SchedulerResult.Once once(Work work, Order.Kind kind, int count, Side stock, Side ours) {
        List<Double> ofStock = new ArrayList<>();
        List<Double> ofOurs = new ArrayList<>();
        for (int i = -UNTIMED; i < TIMES; i++) {
            double one = stock.ask(kind, count).millis();
            double two = ours.ask(kind, count).millis();
            if (i >= 0) {
                ofStock.add(one);
                ofOurs.add(two);
            }
        }
        String what = count == 0 ? kind.words() : kind.words() + " with " + count + " containers";
        return new SchedulerResult.Once(
                what, ours.setting().nodes(), work, Paired.Spread.of(ofStock), Paired.Spread.of(ofOurs));
    }

    private static SchedulerResult.Page page(Side ours, int number) {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < UNTIMED + TIMES; i++) {
            answers.add(ours.ask(Order.Kind.PAGE, number));
        }
        List<Answer> timed = answers.subList(UNTIMED, answers.size());
        return new SchedulerResult.Page(
                BenchPages.names(ours.setting().nodes()).get(number),
                ours.setting().nodes(),
                ours.setting().gangs(),
                Paired.Spread.of(timed.stream().map(Answer::millis).toList()),
                timed.get(0).pageBytes());
    }

    /** Containers of a window: few nodes hold fewer. */
    private int counted(Setting setting) {
        return Math.min(containers, CONTAINERS_A_NODE * setting.nodes());
    }

    private static SchedulerResult.Holds holds(Side ours, int members) {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < GANG_ROUNDS; i++) {
            answers.add(ours.ask(Order.Kind.GANG, members));
        }
        return SchedulerResult.Holds.of(
                ours.setting().nodes(), ours.setting().asynchronous(), members, answers.subList(2, answers.size()));
    }

    private void say(Setting setting, Work work, String what) {
        say(setting.nodes(), setting.asynchronous(), work, what);
    }

    private void say(int nodes, boolean asynchronous, Work work, String what) {
        progress.accept(new Paired(asynchronous, nodes, work, List.of()).name() + ": " + what);
    }
}
