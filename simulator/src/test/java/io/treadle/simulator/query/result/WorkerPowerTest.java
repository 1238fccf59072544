// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.QuerySettings;
import io.treadle.simulator.query.engine.QuerySimulation;
import io.treadle.simulator.query.engine.Request;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Energy, beside numbers that were reckoned by hand. */
class WorkerPowerTest {
    private static final WorkerPower POWER = new WorkerPower(10, 70);

    @Test
    void busyTimeDrawsMoreAndTheRestIdles() {
        // 4 s at 70 W and 6 s at 10 W.
        assertEquals(340, POWER.joules(10_000, 4000), 1e-9);
        assertEquals(0, POWER.joules(0, 0));
    }

    @Test
    void ofARunEachWorkerCountsFromTheBeginningToTheEnd() {
        WorkflowGraph half = new WorkflowGraph("half", List.of(new QueryTask(0, "t", List.of(), 500, 0, 0, List.of())));
        List<Request> requests = List.of(new Request("a", half, 0, 0), new Request("b", half, 2000, 0));
        QueryRun run = QuerySimulation.run(requests, "jit", QuerySettings.usual(3), ended -> {});
        assertEquals(2500, run.endMs(), 1e-9);
        // Three workers idle at 10 W over 2.5 s: 75 J. Two tasks of half a second draw 60 W more: 60 J.
        Double kwh = QuerySummary.of(run, 0, Optional.of(POWER)).energyKwh();
        assertEquals(135, Objects.requireNonNull(kwh) * 3.6e6, 1e-9);
    }

    @Test
    void whoIsBusyDrawsNoLessThanWhoIsIdle() {
        assertThrows(IllegalArgumentException.class, () -> new WorkerPower(70, 10));
        assertThrows(IllegalArgumentException.class, () -> new WorkerPower(-1, 10));
    }
}
