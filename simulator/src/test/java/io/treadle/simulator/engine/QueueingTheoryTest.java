// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waits of queues of which mathematics knows the mean. */
class QueueingTheoryTest {
    private static final List<TaskGroup> ONE_GPU =
            List.of(new TaskGroup("worker", 1, 1, ResourceVector.of(1, 0, 0), Set.of()));
    private static final int BATCHES = 40;
    private static final int JOBS_IN_BATCH = 5000;
    /** Student's t for 39 degrees of freedom, 99.9 % two-sided. */
    private static final double T = 3.56;

    /** M/M/8 with one node of 8 GPUs: the mean wait by Erlang's C formula lies in the confidence interval of batch means. */
    @ParameterizedTest
    @CsvSource({"0.6, 11", "0.8, 12", "0.9, 13"})
    void meanWaitIsErlangs(double load, long seed) {
        int servers = 8;
        double meanSeconds = 1000;
        double perSecond = load * servers / meanSeconds;
        Random random = new Random(seed);
        List<TraceJob> jobs = new ArrayList<>();
        double now = 0;
        for (int i = 0; i < BATCHES * JOBS_IN_BATCH; i++) {
            now += exponential(random, 1 / perSecond);
            jobs.add(new TraceJob(
                    "j" + i,
                    "",
                    Math.round(now * 1000),
                    ONE_GPU,
                    Work.ofSeconds(exponential(random, meanSeconds)),
                    Optional.empty(),
                    OptionalDouble.empty()));
        }
        List<JobRun> runs =
                Runs.run(new Workload(Clusters.ofEights(1), jobs), Runs.options(Compat.NONE, "first-fit"), "fifo");
        double[] means = new double[BATCHES];
        for (int i = 0; i < runs.size(); i++) {
            means[i / JOBS_IN_BATCH] += runs.get(i).waitedMs() / 1000.0 / JOBS_IN_BATCH;
        }
        double mean = java.util.Arrays.stream(means).average().orElseThrow();
        double variance =
                java.util.Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum() / (BATCHES - 1);
        double expected = erlangC(servers, load) * meanSeconds / (servers * (1 - load));
        assertEquals(expected, mean, T * Math.sqrt(variance / BATCHES), "load " + load + ", seed " + seed);
    }

    /** The probability that all servers are busy. */
    private static double erlangC(int servers, double load) {
        double offered = servers * load;
        double blocked = 1;
        for (int k = 1; k <= servers; k++) {
            blocked = offered * blocked / (k + offered * blocked);
        }
        return blocked / (1 - load * (1 - blocked));
    }

    private static double exponential(Random random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }
}
