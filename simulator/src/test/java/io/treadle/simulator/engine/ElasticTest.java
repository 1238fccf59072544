// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs that can use more tasks than they need. */
class ElasticTest {
    private static TraceJob job(
            String id, long submitSeconds, int least, int most, long gpus, double seconds, double scaling) {
        return new TraceJob(
                id,
                "",
                submitSeconds * 1000,
                List.of(new TaskGroup("worker", least, most, ResourceVector.of(gpus, 0, 0), Set.of())),
                new Work(seconds, 1, scaling),
                Optional.empty(),
                OptionalDouble.empty());
    }

    /** Each start as {@code second id tasks}, and each end as {@code second id}. */
    private static List<String> story(Compat compat, boolean preempts, String policy, int nodes, TraceJob... jobs) {
        List<String> told = new ArrayList<>();
        SimulationOptions options =
                new SimulationOptions(compat, compat.defaultPlacement(), preempts, MeasuredJobs.ALL, 300_000, -1);
        Checked.run(new Workload(Clusters.ofEights(nodes), List.of(jobs)), options, policy, new Journal() {
            @Override
            public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
                told.add(seconds(nowMs) + " " + job + " " + tasks.size());
            }

            @Override
            public void ended(JobRun job, long nowMs) {
                told.add(seconds(nowMs) + " " + job);
            }
        });
        return told;
    }

    private static String seconds(long ms) {
        return String.format(Locale.ROOT, "%.3f", ms / 1000.0);
    }

    /**
     * 8 GPUs. a needs 2 tasks, takes 6, and is 3 times as fast: 600 s become 200 s. b finds 2 GPUs at 50 s, twice what it
     * needs, and is 2^0.5 times as fast: 100 s become 70.711 s. c comes while nothing is free and gets what b leaves.
     */
    @Test
    void startsWithAsManyTasksAsThereIsRoomFor() {
        assertEquals(
                List.of("0.000 a 6", "50.000 b 2", "120.711 b", "120.711 c 2", "145.711 c", "200.000 a"),
                story(
                        Compat.NONE,
                        false,
                        "fifo",
                        1,
                        job("a", 0, 2, 6, 1, 600, 1),
                        job("b", 50, 1, 4, 1, 100, 0.5),
                        job("c", 60, 1, 2, 1, 50, 1)));
    }

    /** Both get what they need before one gets more: 2 + 2 tasks, then a as far as it can, 5, and b the last one, 3. */
    @Test
    void allHaveWhatTheyNeedFirst() {
        assertEquals(
                List.of("0.000 a 5", "0.000 b 3"),
                story(Compat.NONE, false, "fifo", 1, job("a", 0, 2, 5, 1, 500, 1), job("b", 0, 2, 8, 1, 500, 1))
                        .subList(0, 2));
    }

    /** big waits for all 8 GPUs from 10 s: what starts beside a then gets no more than it needs. */
    @Test
    void nobodyGetsMoreWhileOneWaits() {
        assertEquals(
                List.of("0.000 a 4", "20.000 b 1"),
                story(
                                Compat.NONE,
                                false,
                                "fifo",
                                1,
                                job("a", 0, 4, 4, 1, 100, 1),
                                job("big", 10, 8, 8, 1, 100, 1),
                                job("b", 20, 1, 8, 1, 100, 1))
                        .subList(0, 2));
    }

    /**
     * long takes 8 tasks where it needs 2 and is 4 times as fast: of 1,000 s 40 are done at 10 s. short needs 5 GPUs: long
     * stops, and starts again at once with the 3 that are left, at 1.5 times: 90 of the 960 s in the 60 s that short
     * takes. It does not grow when short ends: 870 / 1.5 = 580 s more.
     */
    @Test
    void makesWayWithWhatItDoesNotNeed() {
        assertEquals(
                List.of("0.000 long 8", "10.000 short 5", "10.000 long 3", "70.000 short", "650.000 long"),
                story(
                        Compat.NONE,
                        true,
                        "srtf",
                        1,
                        job("long", 0, 2, 8, 1, 1000, 1),
                        job("short", 10, 5, 5, 1, 60, 1)));
    }

    @Test
    void publishedSimulatorsKnowNone() {
        assertEquals(
                List.of("0.000 a 2", "600.000 a"),
                story(Compat.HELIOS, false, "fifo", 1, job("a", 0, 2, 6, 1, 600, 1)));
    }

    /** Never fewer tasks than needed, never more than can be used, as {@code Checked} sees to; and growth pays. */
    @Test
    void randomJobsStayBetweenTheirBounds() {
        long grown = 0;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(3);
            TraceJob[] jobs = new TraceJob[20];
            long submit = 0;
            for (int i = 0; i < jobs.length; i++) {
                submit += random.nextInt(40);
                int least = 1 + random.nextInt(3);
                long gpus = 1 + random.nextInt(8 / least);
                jobs[i] = job(
                        "j" + i,
                        submit,
                        least,
                        least + random.nextInt(5),
                        gpus,
                        1 + random.nextInt(100),
                        random.nextInt(3) * 0.5);
            }
            String policy = List.of("fifo", "srtf", "las", "drf").get(random.nextInt(4));
            List<String> told = story(Compat.NONE, random.nextBoolean(), policy, nodes, jobs);
            for (TraceJob job : jobs) {
                grown += told.stream()
                                .anyMatch(line -> line.matches("\\S+ " + job.id() + " \\d+")
                                        && Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)) > job.tasks())
                        ? 1
                        : 0;
                assertEquals(
                        1,
                        told.stream()
                                .filter(line -> line.endsWith(" " + job.id()))
                                .count(),
                        "seed " + seed + ", " + job.id() + " ends once");
            }
        }
        assertTrue(grown > 500, "only " + grown + " jobs have grown");
    }
}
