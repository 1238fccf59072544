// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.Attributes;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Thousands of small random traces on small uneven clusters: without {@code --compat} too, all is as brute force has it. */
class TicksTest {
    private static final int SEEDS = 250;

    @ParameterizedTest(name = "{0}, preemption {1}")
    @CsvSource({
        "fifo, false",
        "sjf, false",
        "lsf, false",
        "srtf, false",
        "srsf, false",
        "las, false",
        "2d-las, false",
        "qssf, false",
        "ftf, false",
        "drf, false",
        "tetris, false",
        "fifo, true",
        "sjf, true",
        "lsf, true",
        "srtf, true",
        "srsf, true",
        "las, true",
        "2d-las, true",
        "qssf, true",
        "ftf, true",
        "drf, true",
        "tetris, true"
    })
    void eventLoopAgreesWithBruteForce(String order, boolean preempts) {
        long stops = 0;
        long waits = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int[] gpus = random.ints(1 + random.nextInt(3), 1, 9).toArray();
            int[] vcores = random.ints(gpus.length, 4, 17).toArray();
            List<TraceJob> trace = trace(random, gpus, vcores);
            boolean consolidates = seed % 2 == 0;
            Map<String, List<Long>> expected =
                    new TickSimulator(order, preempts, consolidates, gpus, vcores).run(trace);
            SimulationOptions options = new SimulationOptions(
                    Compat.NONE, consolidates ? "consolidate" : "first-fit", preempts, MeasuredJobs.ALL, 300_000, -1);
            Outcome outcome = Checked.run(new Workload(cluster(gpus, vcores), trace), options, order, Journal.NONE);
            Map<String, List<Long>> got = new LinkedHashMap<>();
            for (JobRun job : outcome.jobs()) {
                got.put(job.job().id(), List.of(job.firstStartMs() / 1000, job.endMs() / 1000, (long)
                        job.preemptions()));
                stops += job.preemptions();
                waits += job.waitedMs() > 0 ? 1 : 0;
            }
            assertEquals(expected, got, order + ", preemption " + preempts + ", seed " + seed);
        }
        assertTrue(waits > 5 * SEEDS, "hardly anybody waits: " + waits);
        // A job that came later is never before one that runs in fifo, unless its priority is higher.
        assertEquals(preempts, stops > SEEDS / 4, stops + " stops");
    }

    private static SimCluster cluster(int[] gpus, int[] vcores) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 0; i < gpus.length; i++) {
            nodes.add(new NodeView(
                    "n" + i,
                    "",
                    ResourceVector.of(gpus[i], vcores[i], 1000),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        return new SimCluster("test", List.of(new Partition("", nodes)), SimCluster.Sharing.NOTHING);
    }

    /** Jobs of which each could run if it were alone. */
    private static List<TraceJob> trace(Random random, int[] gpus, int[] vcores) {
        List<TraceJob> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 10 + random.nextInt(25); i > 0; i--) {
            submit += random.nextInt(3) == 0 ? random.nextInt(30) : 0;
            int node = random.nextInt(gpus.length);
            int each = 1 + random.nextInt(gpus[node]);
            int cores = random.nextInt(1 + vcores[node] / 2);
            int room = 0;
            for (int n = 0; n < gpus.length; n++) {
                room += Math.min(gpus[n] / each, cores == 0 ? Integer.MAX_VALUE : vcores[n] / cores);
            }
            int tasks = 1 + random.nextInt(Math.min(3, room));
            jobs.add(new TraceJob(
                            "j" + i,
                            "",
                            submit * 1000,
                            List.of(new TaskGroup("worker", tasks, tasks, ResourceVector.of(each, cores, 0), Set.of())),
                            Work.ofSeconds(1 + random.nextInt(random.nextInt(8) == 0 ? 900 : 60)),
                            Optional.empty(),
                            random.nextInt(4) == 0 ? OptionalDouble.empty() : OptionalDouble.of(random.nextInt(60)))
                    .with(new Attributes(
                            random.nextInt(5) == 0 ? random.nextInt(3) : 0, OptionalLong.empty(), Optional.empty())));
        }
        return jobs;
    }
}
