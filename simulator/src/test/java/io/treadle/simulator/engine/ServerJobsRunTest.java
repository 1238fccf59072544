// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.generate.ServerJobs;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs with workers and parameter servers on their way. */
class ServerJobsRunTest {
    private static final ResourceVector WORKER = ResourceVector.of(1, 1, 1);
    private static final ResourceVector SERVER = ResourceVector.of(0, 1, 1);

    private static SimCluster node(long gpus, long vcores) {
        NodeView view = new NodeView(
                "n0",
                "r",
                ResourceVector.of(gpus, vcores, 1000),
                ResourceVector.ZERO,
                ResourceVector.ZERO,
                List.of(),
                true);
        return new SimCluster("one node", List.of(new Partition("", List.of(view))), SimCluster.Sharing.NOTHING);
    }

    /** 1,000 iterations of 12/w + 1 · w/p seconds. */
    private static TraceJob job(String id, long submitMs, int most) {
        LayeredPsModel model = LayeredPsModel.ofWhole(0.12, 0, 1, 0, 0, Mode.SYNC, 100);
        return new TraceJob(
                        id,
                        "",
                        submitMs,
                        List.of(
                                new TaskGroup("worker", 1, most, WORKER, Set.of()),
                                new TaskGroup("ps", 1, most, SERVER, Set.of())),
                        new Work(100_000, 1 / model.samplesPerSecond(1, 1)),
                        Optional.empty(),
                        OptionalDouble.empty())
                .with(new Sizing(new Utility(1, 0, OptionalDouble.of(1)), Optional.of(model), Optional.empty()));
    }

    private static SimulationOptions options() {
        return new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 300_000, -1)
                .with(new Costs(30, 0, 30));
    }

    private static List<JobRun> run(SimCluster cluster, List<TraceJob> jobs, String policy, SimulationOptions options) {
        return new Simulation(cluster, jobs, options).run(policy, ended -> {}).jobs();
    }

    /** With 4 workers and 4 servers an iteration takes 12/4 + 1 = 4 s; 13 s with one of each. */
    @Test
    void itRunsAsFastAsItsSize() {
        SimCluster eight = node(4, 8);
        JobRun alone =
                run(eight, List.of(job("a", 0, 4)), "smd-plain", options()).get(0);
        assertEquals(4_000_000, alone.endMs());
        JobRun least =
                run(eight, List.of(job("a", 0, 1)), "smd-plain", options()).get(0);
        assertEquals(13_000_000, least.endMs());
    }

    /** A size more or less takes half a minute of work at the new size, wherever it leads. */
    @Test
    void anotherSizeCostsHalfAMinute() {
        SimCluster eight = node(4, 8);
        List<JobRun> runs = run(eight, List.of(job("a", 0, 4), job("b", 400_000, 1)), "optimus", options());
        JobRun first = runs.get(0);
        assertTrue(first.migrations() > 0);
        // 100 iterations are done when the other comes; then 3 workers and 3 servers are left until that has ended.
        long otherEnds = 400_000 + 13_000_000;
        double perIteration = 12.0 / 3 + 1;
        double left = 900 - (otherEnds - 400_000 - 30_000) / 1000.0 / perIteration;
        assertTrue(left < 0, "it ends before the other");
        assertEquals(400_000 + 30_000 + 900 * 5_000L, first.endMs());
    }

    /** What comes between two rounds waits for the next. */
    @Test
    void decisionsAtRoundsAlone() {
        List<JobRun> runs = run(
                node(1, 2),
                List.of(job("a", 10_000, 1), job("b", 20_000, 1)),
                "smd",
                options().decidingEvery(600_000));
        assertEquals(600_000, runs.get(0).firstStartMs());
        assertEquals(600_000 + 13_000_000, runs.get(0).endMs());
        // It ended at 13,600 s: the next round is at 13,800 s.
        assertEquals(13_800_000, runs.get(1).firstStartMs());
    }

    /** As they are described: a tenth do not care when they end. */
    @Test
    void randomJobsAreAsDescribed() {
        List<TraceJob> jobs = ServerJobs.draw(9, 2000, 10);
        double hours = jobs.get(jobs.size() - 1).submitMs() / 3.6e6;
        assertEquals(200.0, hours, 20.0);
        long careless = jobs.stream()
                .filter(job -> job.sizing().utility().decayPerHour() == 0)
                .count();
        assertTrue(Math.abs(careless - 200) < 50, "careless: " + careless);
        long critical = jobs.stream()
                .filter(job -> job.sizing().utility().decayPerHour() >= 4)
                .count();
        assertTrue(Math.abs(critical - 700) < 70, "critical: " + critical);
        for (TraceJob job : jobs) {
            LayeredPsModel model = job.sizing().model().orElseThrow();
            assertTrue(model.layers().size() >= 4 && model.layers().size() <= 30);
            double bytes = model.layers().stream()
                    .mapToDouble(layer -> layer.gradientBytes())
                    .sum();
            assertTrue(bytes >= 30e6 * .999 && bytes <= 575e6 * 1.001);
            double iterations = job.work().samples() / model.batch();
            assertTrue(iterations >= 2000 && iterations <= 40_000);
        }
        assertEquals(jobs, ServerJobs.draw(9, 2000, 10), "the same seed gives the same jobs");
    }
}
