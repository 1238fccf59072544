// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs on two racks of two nodes with 8 GPUs, placed on the first nodes that have room. */
class CrossingTest {
    @Test
    void jobsThatCrossRacksOrNodesRunLonger() {
        List<TraceJob> jobs = List.of(
                // n0 alone: 100 s.
                job("inside", 0, 1, 100),
                // n1 and n2, over both racks: half as long again, 150 s.
                job("racks", 0, 2, 100),
                // n0 and n1 at 200 s: a tenth longer, 110 s.
                job("nodes", 200, 2, 100));
        assertEquals(List.of(100_000L, 150_000L, 310_000L), ends(jobs, "fifo", false));
    }

    /** Stopped after 60 s on both racks, when 40 s of its work are done, it does the other 60 s on one rack in 66. */
    @Test
    void whatIsDoneElsewhereGoesAsFastAsThere() {
        List<TraceJob> jobs = List.of(job("inside", 0, 1, 60), job("stopped", 0, 2, 100), job("short", 60, 3, 10));
        // "short" takes n0, n1 and n2 for 15 s; then n0 and n1 are the first that are free.
        List<Long> ends = ends(jobs, "srtf", true);
        assertEquals(List.of(60_000L, 141_000L, 75_000L), ends);
    }

    @Test
    void textsAreRead() {
        assertEquals(new Crossing(0.2, 0), Crossing.parse("--crossing-penalty", "0.2"));
        assertEquals(new Crossing(0.2, 0), Crossing.parse("--crossing-penalty", "rack=0.2"));
        assertEquals(new Crossing(0, 1), Crossing.parse("--crossing-penalty", "node=1"));
        assertEquals(new Crossing(0.2, 0.05), Crossing.parse("--crossing-penalty", "rack=0.2,node=0.05"));
        assertEquals(
                "rack=0.2,node=0.05",
                Crossing.parse("--crossing-penalty", "node=0.05,rack=0.2").toString());
    }

    private static List<Long> ends(List<TraceJob> jobs, String policy, boolean preempts) {
        SimulationOptions options = new SimulationOptions(
                        Compat.NONE, "first-fit", preempts, MeasuredJobs.ALL, 300_000, 0)
                .with(new Costs(0, 0, 0, new Crossing(0.5, 0.1)));
        return Checked.run(new Workload(Clusters.ofRacks(2, 2), jobs), options, policy, Journal.NONE).jobs().stream()
                .map(JobRun::endMs)
                .toList();
    }

    private static TraceJob job(String id, long submit, int nodes, double seconds) {
        return new TraceJob(
                id,
                "",
                submit * 1000,
                List.of(new TaskGroup("worker", nodes, nodes, ResourceVector.of(8, 0, 0), Set.of())),
                Work.ofSeconds(seconds),
                Optional.empty(),
                OptionalDouble.empty());
    }
}
