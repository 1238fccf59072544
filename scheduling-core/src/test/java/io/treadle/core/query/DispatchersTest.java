// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class DispatchersTest {
    private static final Costs COSTS = Costs.of(Known.DELAYS);
    private static final WorkflowGraph PAIR = new WorkflowGraph(
            "pair",
            List.of(Known.task(0, List.of(new Model(0, "m", 50)), 10, 1, 1), Known.task(1, List.of(), 5, 1, 1, 0)));

    private static Dispatcher of(String name) {
        return Dispatchers.of(name, COSTS, Adjustment.PUBLISHED);
    }

    /** zlib.crc32(b"pair/0/17") is 2892247478, of b"pair/1/17" 349722323. */
    @Test
    void hashIsTheChecksumOfItsNames() {
        List<Known.Worker> workers = List.of(
                Known.worker(0, 9), Known.worker(0, 9), Known.worker(0, 9), Known.worker(0, 9), Known.worker(0, 9));
        Query query = new Query("17", PAIR, UpwardRank.of(PAIR, Known.DELAYS), 0);
        assertArrayEquals(
                new int[] {3, 3}, of("hash").plan(query, Known.view(workers), 0).workers());
    }

    @Test
    void justInTimePlacesWhatHasItsInputsAlone() {
        Dispatcher jit = of("jit");
        List<Known.Worker> workers = List.of(Known.worker(0, 100), Known.worker(20, 50, 0));
        Query query = Known.query(PAIR, Known.DELAYS, 0);
        QueryPlan plan = jit.plan(query, Known.view(workers), 0);
        // There 20 ms and a transfer of 1 kB, 1 + 2.5 + 1 ms; here a fetch of 50 ms.
        assertArrayEquals(new int[] {1, QueryPlan.OPEN}, plan.workers());
        assertFalse(jit.plansAhead());
        assertEquals(0, jit.place(query, plan, 1, 1, Known.view(workers)));
    }

    @Test
    void withoutKnowingModelsOnlyTheWaitCounts() {
        Dispatcher blind = Dispatchers.of("jit", new Costs(Known.DELAYS, false, 1), Adjustment.PUBLISHED);
        List<Known.Worker> workers = List.of(Known.worker(0, 100), Known.worker(20, 50, 0));
        assertEquals(
                0,
                blind.plan(Known.query(PAIR, Known.DELAYS, 0), Known.view(workers), 0)
                        .worker(0));
    }

    @Test
    void namesThoseThatThereAre() {
        assertEquals(
                "must be one of compass, jit, heft, hash",
                assertThrows(IllegalArgumentException.class, () -> of("luck")).getMessage());
        for (String name : Dispatchers.NAMES) {
            assertEquals(name, of(name).name());
        }
    }
}
