// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of small random traces: the event loop gives what brute force gives second by second. */
class HeliosTicksTest {
    private static final int SEEDS = 1500;

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "sjf", "qssf", "srtf"})
    void eventLoopAgreesWithBruteForce(String policy) {
        long preemptions = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(4);
            List<TraceJob> trace = trace(random, nodes);
            Map<String, List<Long>> expected = new HeliosTicks(policy, nodes).run(trace);
            List<JobRun> jobs = Runs.run(
                    new Workload(Clusters.ofEights(nodes), trace), Runs.options(Compat.HELIOS, "consolidate"), policy);
            Map<String, List<Long>> got = new LinkedHashMap<>();
            jobs.forEach(job -> got.put(job.job().id(), List.of(job.firstStartMs() / 1000, job.endMs() / 1000)));
            String where = policy + ", seed " + seed;
            expected.forEach((id, times) -> assertEquals(times, got.get(id), () -> where + ", job " + id));
            preemptions += jobs.stream().mapToLong(JobRun::preemptions).sum();
        }
        assertEquals(policy.equals("srtf"), preemptions > SEEDS, policy + " stopped " + preemptions + " times");
    }

    private static List<TraceJob> trace(Random random, int nodes) {
        List<TraceJob> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 5 + random.nextInt(30); i > 0; i--) {
            submit += random.nextInt(3) == 0 ? random.nextInt(40) : 0;
            int gpus = Math.min(
                    8 * nodes, random.nextInt(4) == 0 ? 1 + random.nextInt(8 * nodes) : 1 << random.nextInt(4));
            jobs.add(new TraceJob(
                    "j" + i,
                    "",
                    submit * 1000,
                    groups(gpus),
                    Work.ofSeconds(1 + random.nextInt(60)),
                    Optional.empty(),
                    OptionalDouble.of(random.nextInt(40) - 5)));
        }
        assertTrue(!jobs.isEmpty());
        return jobs;
    }

    private static List<TaskGroup> groups(int gpus) {
        List<TaskGroup> groups = new ArrayList<>();
        if (gpus >= 8) {
            groups.add(group("worker", gpus / 8, 8));
        }
        if (gpus % 8 > 0) {
            groups.add(group("rest", 1, gpus % 8));
        }
        return groups;
    }

    private static TaskGroup group(String name, int tasks, long gpus) {
        return new TaskGroup(name, tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of());
    }
}
