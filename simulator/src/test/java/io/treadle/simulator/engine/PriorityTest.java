// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.Attributes;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that each fill the only node: which goes first. */
class PriorityTest {
    private static final List<TraceJob> JOBS =
            List.of(job("runs", 0, 100, 0), job("short", 1, 10, 0), job("high", 2, 50, 2), job("higher", 3, 60, 3));

    private static TraceJob job(String id, long submitSeconds, double seconds, int priority) {
        return new TraceJob(
                        id,
                        "",
                        submitSeconds * 1000,
                        List.of(new TaskGroup("worker", 1, 1, ResourceVector.of(8, 0, 0), Set.of())),
                        Work.ofSeconds(seconds),
                        Optional.empty(),
                        OptionalDouble.empty())
                .with(new Attributes(priority, OptionalLong.empty(), Optional.empty()));
    }

    private static List<Long> startSeconds(Compat compat, boolean preempts, String policy) {
        SimulationOptions options =
                new SimulationOptions(compat, compat.defaultPlacement(), preempts, MeasuredJobs.ALL, 300_000, -1);
        return Runs.run(new Workload(Clusters.ofEights(1), JOBS), options, policy).stream()
                .map(job -> job.firstStartMs() / 1000)
                .toList();
    }

    /** 100: higher, 160: high, 210: short, though it came first and is the shortest. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "sjf", "las", "ftf", "drf"})
    void goesBeforeTheOrder(String policy) {
        assertEquals(List.of(0L, 210L, 160L, 100L), startSeconds(Compat.NONE, false, policy));
    }

    /** At 2 high stops the first, at 3 higher stops high: it ends at 63, high goes on to 112, then the first to 210. */
    @Test
    void stopsLowerOnes() {
        assertEquals(List.of(0L, 1L, 2L, 3L), startSeconds(Compat.NONE, true, "srtf"));
        assertEquals(List.of(0L, 210L, 2L, 3L), startSeconds(Compat.NONE, true, "fifo"));
    }

    @Test
    void publishedSimulatorsKnowNone() {
        assertEquals(List.of(0L, 100L, 110L, 160L), startSeconds(Compat.HELIOS, false, "fifo"));
    }
}
