// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.allocation.Paired.Spread;
import io.treadle.allocation.Paired.Work;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulerResultTest {
    private static final Machine MACHINE = new Machine("a processor", 2, "a JVM", 0);

    /** Windows of stock and of ours, in turn: containers a second and µs. The first of stock's comes again at the end. */
    private static Paired pair(boolean asynchronous, Work work, double... figures) {
        List<Answer> stock = new ArrayList<>();
        List<Answer> ours = new ArrayList<>();
        for (int i = 0; i < figures.length; i += 4) {
            stock.add(Answer.window(figures[i], figures[i + 1]));
            ours.add(Answer.window(figures[i + 2], figures[i + 3]));
        }
        stock.add(stock.get(0));
        return new Paired(asynchronous, 100, work, List.of(new Paired.Turns(stock, ours)));
    }

    @Test
    void eachWindowIsComparedWithItsNeighbours() {
        // The machine becomes slower and recovers.
        Paired pair = pair(false, Work.IDLE, 1000, 10, 792, 16.5, 600, 20, 600, 20, 600, 20, 784, 18);
        assertEquals(List.of(0.99, 1.0, 0.98), pair.ratios(Answer::perSecond));
        assertEquals(new Spread(0.985, 0.99, 0.995), pair.allocations());
        assertEquals(1.1, pair.heartbeats().median(), 1e-12);
        assertEquals(784, pair.ofOurs(Answer::perSecond).median());
    }

    @Test
    void windowsInPartsAreComparedOneByOneAndProcessesStandSideBySide() {
        Paired pair = new Paired(
                false,
                100,
                Work.IDLE,
                List.of(
                        new Paired.Turns(
                                List.of(Answer.window(1000, 10), Answer.window(500, 10)),
                                List.of(Answer.window(1010, 10), Answer.window(515, 10))),
                        new Paired.Turns(List.of(Answer.window(1000, 10)), List.of(Answer.window(990, 10)))));
        assertEquals(List.of(1.01, 1.03, 0.99), pair.ratios(Answer::perSecond));
        assertEquals(1.01, pair.allocations().median());
        assertEquals(List.of(0.99, 1.02), pair.ofProcesses());
        assertEquals(
                "0.990, 1.020",
                new SchedulerResult(MACHINE, 100, List.of(pair), List.of(), List.of(), List.of(), List.of())
                        .allocationRows()
                        .get(1)
                        .get(8));
    }

    @Test
    void eachWindowIsALineOfTheTable() {
        SchedulerResult result = new SchedulerResult(
                MACHINE,
                100,
                List.of(pair(true, Work.BUSY, 1000, 10, 792.25, 16.5)),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        assertEquals(
                """
                work,nodes,asynchronous,processes,scheduler,window,containersPerSecond,heartbeatP99Micros
                busy,100,true,1,stock,1,1000.0,10.0
                busy,100,true,1,stock,2,1000.0,10.0
                busy,100,true,1,ours,1,792.3,16.5
                """,
                result.windowsCsv());
    }

    @Test
    void theLowestOfItsRowsStandsForAKindOfWork() {
        SchedulerResult result = new SchedulerResult(
                MACHINE,
                100,
                List.of(
                        pair(false, Work.IDLE, 1000, 10, 1000, 10),
                        pair(true, Work.IDLE, 1000, 10, 990, 10),
                        pair(false, Work.BUSY, 1000, 10, 890, 50),
                        pair(true, Work.BUSY, 1000, 10, 950, 5)),
                List.of(),
                List.of(),
                List.of(new SchedulerResult.Once(
                        "queues are refreshed",
                        100,
                        Work.IDLE,
                        Spread.of(List.of(20.0, 10.0, 30.0)),
                        Spread.of(List.of(12.5)))),
                List.of(
                        new SchedulerResult.Page("/quick", 100, 50, Spread.of(List.of(20.0, 900.0, 30.0)), 4096),
                        new SchedulerResult.Page("/slow", 100, 50, Spread.of(List.of(301.0)), 10),
                        new SchedulerResult.Page("/large", 100, 50, Spread.of(List.of(1.0)), 2_048_000)));
        List<Compared> rows = result.compared();
        assertEquals(new Compared("idle", 990, 1000, 0.99, "containers a second"), rows.get(0));
        assertEquals(new Compared("busy", 890, 1000, 0.89, "containers a second"), rows.get(1));
        assertEquals(2 + 4 + 4, rows.size());
        assertEquals(rows.size(), rows.stream().map(Compared::name).distinct().count());
        assertEquals(
                List.of("queues are refreshed", "100", "idle", "20.0 ms", "12.5 ms", "12.5 ms to 12.5 ms"),
                result.onceRows().get(1));
        assertEquals(
                List.of("/quick", "100", "50", "30.0 ms", "25.0 ms to 465.0 ms", "4"),
                result.pageRows().get(1));
        assertEquals(
                List.of(
                        "busy of 100 nodes, by heartbeats: 0.890 of stock's allocations, must be 0.90",
                        "busy of 100 nodes, by heartbeats: 0.890 of stock's allocations in all windows together,"
                                + " must be 0.90",
                        "busy of 100 nodes, by heartbeats: 5.00 of stock's heartbeat, must be 1.1",
                        "page /slow of 100 nodes: 301 ms and 0 KiB, must be at most 300 ms and 1,953 KiB",
                        "page /large of 100 nodes: 1 ms and 2,000 KiB, must be at most 300 ms and 1,953 KiB"),
                result.missed());
    }

    @Test
    void whatSlowsFewWindowsCountsWhereTheyAreTakenTogether() {
        // A round of the planner halves one window of three: the median does not see it.
        Paired pair = pair(true, Work.BUSY, 1000, 10, 1000, 10, 1000, 10, 500, 10, 1000, 10, 1000, 10);
        assertEquals(1, pair.allocations().median());
        assertEquals(0.75, pair.together(), 1e-12);
        SchedulerResult result =
                new SchedulerResult(MACHINE, 100, List.of(pair), List.of(), List.of(), List.of(), List.of());
        assertEquals(
                List.of("busy of 100 nodes, asynchronous: 0.750 of stock's allocations in all windows together,"
                        + " must be 0.90"),
                result.missed());
        assertEquals("0.750", result.allocationRows().get(1).get(7));
    }

    @Test
    void heapOfAJobIsWhatItHasMoreThanAsAPlainApplication() {
        SchedulerResult.Heap heap = SchedulerResult.Heap.of(10, 100, new long[] {1000, 1200}, new long[] {6000, 9200});
        assertEquals(new SchedulerResult.Heap(10, 100, 20, 50, 30), heap);
    }
}
