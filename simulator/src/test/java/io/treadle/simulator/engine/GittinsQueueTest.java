// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** {@code gittins} with preemption on one server, a node of 8 GPUs that each job takes whole, at 70 % load. */
class GittinsQueueTest {
    private static final List<TaskGroup> WHOLE_NODE =
            List.of(new TaskGroup("worker", 1, 1, ResourceVector.of(8, 0, 0), Set.of()));
    private static final int JOBS = 40_000;
    private static final double MEAN_SECONDS = 1000;
    private static final double LOAD = 0.7;

    /** Where all jobs take as long, nobody makes way: as first come, first served. */
    @Test
    void deterministicServiceIsFifo() {
        List<TraceJob> jobs = jobs(1, random -> MEAN_SECONDS);
        List<JobRun> fifo = run(jobs, "fifo", false);
        List<JobRun> gittins = run(jobs, "gittins", true);
        for (int i = 0; i < JOBS; i++) {
            assertEquals(fifo.get(i).endMs(), gittins.get(i).endMs(), "job " + i);
        }
    }

    /**
     * Any order that does not know run times has the same mean time in an M/M/1 queue, 1 ÷ (1 / mean service − arrivals):
     * with 40,000 jobs it is met within 10 %.
     */
    @Test
    void exponentialServiceTakesAsLongInAnyOrder() {
        List<TraceJob> jobs = jobs(2, random -> exponential(random, MEAN_SECONDS));
        double expected = MEAN_SECONDS / (1 - LOAD);
        for (String policy : List.of("gittins", "las")) {
            assertEquals(expected, Runs.meanSeconds(run(jobs, policy, true)), expected / 10, policy);
        }
    }

    /**
     * Nine of ten jobs take 100 s, the rest 9,100 s. A job beyond 100 s makes way for one that comes, which by the index
     * is likelier to end soon; las lets new jobs stop one that would have ended.
     */
    @Test
    void twoKindsOfJobsEndSoonerThanByOtherOrders() {
        List<TraceJob> jobs = jobs(3, random -> random.nextInt(10) > 0 ? 100 : 9100);
        double gittins = Runs.meanSeconds(run(jobs, "gittins", true));
        double las = Runs.meanSeconds(run(jobs, "las", true));
        double fifo = Runs.meanSeconds(run(jobs, "fifo", false));
        assertTrue(gittins < 0.95 * las, () -> "gittins " + gittins + ", las " + las);
        assertTrue(gittins < 0.5 * fifo, () -> "gittins " + gittins + ", fifo " + fifo);
    }

    private static List<TraceJob> jobs(long seed, ToDoubleFunction<Random> seconds) {
        Random random = new Random(seed);
        List<TraceJob> jobs = new ArrayList<>();
        double now = 0;
        for (int i = 0; i < JOBS; i++) {
            now += exponential(random, MEAN_SECONDS / LOAD);
            jobs.add(new TraceJob(
                    "j" + i,
                    "",
                    Math.round(now * 1000),
                    WHOLE_NODE,
                    Work.ofSeconds(seconds.applyAsDouble(random)),
                    Optional.empty(),
                    OptionalDouble.empty()));
        }
        return jobs;
    }

    private static double exponential(Random random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private static List<JobRun> run(List<TraceJob> jobs, String policy, boolean preempts) {
        SimulationOptions options =
                new SimulationOptions(Compat.NONE, "first-fit", preempts, MeasuredJobs.ALL, 300_000, -1);
        return new Simulation(Clusters.ofEights(1), jobs, options)
                .run(policy, ended -> {})
                .jobs();
    }
}
