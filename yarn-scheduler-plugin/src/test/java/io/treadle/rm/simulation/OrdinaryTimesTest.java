// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long ordinary applications take beside jobs with gangs, under TreadleScheduler and under CapacityScheduler, in the
 * time of the simulation: the same for the same seed, however busy the machine is. Under CapacityScheduler the jobs are
 * applications that ask for the same containers, and take them as they come: so do all that share a cluster with others.
 */
@Tag("simulation")
class OrdinaryTimesTest {
    private static final int SEEDS = 10;
    private static final int ORDINARY = 10;
    private static final long BEAT_MS = 1_000;
    private static final int MOST_BEATS = 2_000;
    /** Number of an application that ends only when it is killed, and how long it is looked at. */
    private static final int FLOOD = 100;

    private static final int FLOOD_BEATS = 100;
    /** How much longer a single application may take; 1.33 is the most that was seen. */
    private static final double MOST_FOR_ONE = 1.5;

    private record Arrival(int beat, Job job) {
        /** Its tasks come one by one. */
        Arrival plain() {
            return new Arrival(
                    beat,
                    new Job(
                            job.number(),
                            Job.Kind.PLAIN,
                            job.queue(),
                            job.user(),
                            job.tasks(),
                            job.size(),
                            job.beats()));
        }
    }

    /** As MapReduce: tasks of one vcore in waves. Gangs are of whole GPUs. */
    private static List<Arrival> arrivals(long seed, int gangs) {
        Random random = new Random(seed);
        List<Arrival> arrivals = new ArrayList<>();
        int beat = 0;
        for (int i = 0; i < ORDINARY; i++) {
            beat += random.nextInt(6);
            ResourceVector size = ResourceVector.of(0, 1, 512L * (1 + random.nextInt(3)));
            arrivals.add(new Arrival(
                    beat,
                    new Job(i, Job.Kind.PLAIN, "plain", "pia", 4 + random.nextInt(20), size, 2 + random.nextInt(6))));
        }
        for (int i = 0; i < gangs; i++) {
            ResourceVector size = ResourceVector.of(1, 1 + random.nextInt(2), 1024);
            arrivals.add(new Arrival(
                    random.nextInt(beat + 1),
                    new Job(
                            ORDINARY + i,
                            Job.Kind.GANG,
                            random.nextBoolean() ? "ml" : "research",
                            "mia",
                            1 + random.nextInt(6),
                            size,
                            5 + random.nextInt(20))));
        }
        return arrivals;
    }

    /** By number of an ordinary application, the beats from its submission to its end. */
    private static Map<Integer, Integer> times(Setting setting, boolean stock, List<Arrival> arrivals)
            throws Exception {
        Map<Integer, Integer> times = new TreeMap<>();
        try (SimulatedCluster cluster = new SimulatedCluster(setting, stock)) {
            for (int beat = 0; times.size() < ORDINARY; beat++) {
                assertTrue(beat < MOST_BEATS, () -> "only " + times.keySet() + " ended");
                step(cluster, beat, arrivals);
                for (Arrival arrival : arrivals) {
                    int number = arrival.job().number();
                    if (number < ORDINARY
                            && cluster.application(number)
                                    .filter(SimulatedApplication::isOver)
                                    .isPresent()) {
                        times.putIfAbsent(number, beat - arrival.beat());
                    }
                }
            }
        }
        return times;
    }

    private static void step(SimulatedCluster cluster, int beat, List<Arrival> arrivals) throws Exception {
        for (Arrival arrival : arrivals) {
            if (arrival.beat() == beat) {
                cluster.submit(arrival.job());
                cluster.drain();
            }
        }
        new Event.Everybody().happen(cluster);
        cluster.drain();
        cluster.preempt();
        cluster.drain();
        cluster.time.advance(BEAT_MS);
    }

    private static Setting setting(boolean asynchronous, boolean preempts) {
        return new Setting(asynchronous, preempts, true, "fifo+synergy-tune", true, 50, 100, 10);
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, preemption {1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void areNoLongerBesideGangs(boolean asynchronous, boolean preempts) throws Exception {
        Setting setting = setting(asynchronous, preempts);
        long ours = 0;
        long stock = 0;
        List<Double> ratios = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Arrival> arrivals = arrivals(seed, 6);
            Map<Integer, Integer> here = times(setting, false, arrivals);
            Map<Integer, Integer> there =
                    times(setting, true, arrivals.stream().map(Arrival::plain).toList());
            ours += sum(here);
            stock += sum(there);
            here.forEach((number, beats) ->
                    ratios.add(beats / Objects.requireNonNull(there.get(number)).doubleValue()));
        }
        ratios.sort(null);
        assertTrue(ours <= 1.05 * stock, ours + " beats with Treadle, " + stock + " without");
        assertTrue(ratios.get(ratios.size() / 2) <= 1.05, ratios::toString);
        // Gangs take turns whole: who comes at such a moment waits longer, and who comes before it less.
        assertTrue(ratios.get(ratios.size() - 1) <= MOST_FOR_ONE, ratios::toString);
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @CsvSource({"false", "true"})
    void areTheSameWhereThereIsNoGang(boolean asynchronous) throws Exception {
        for (long seed = 1; seed <= SEEDS / 4; seed++) {
            List<Arrival> arrivals = arrivals(seed, 0);
            Setting setting = setting(asynchronous, true);
            assertEquals(times(setting, true, arrivals), times(setting, false, arrivals), "seed " + seed);
        }
    }

    /** Tasks of an application like Spark with dynamic allocation, which always takes what is free, in a time. */
    private static int tasksOfFlood(Setting setting, boolean stock, List<Arrival> arrivals) throws Exception {
        Job flood = new Job(FLOOD, Job.Kind.FLOOD, "plain", "pia", 60, ResourceVector.of(0, 1, 1024), 5);
        try (SimulatedCluster cluster = new SimulatedCluster(setting, stock)) {
            cluster.submit(flood);
            cluster.drain();
            for (int beat = 0; beat < FLOOD_BEATS; beat++) {
                step(cluster, beat, arrivals);
            }
            return cluster.application(FLOOD).orElseThrow().done();
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, preemption {1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void floodRunsAsManyTasksBesideGangs(boolean asynchronous, boolean preempts) throws Exception {
        Setting setting = setting(asynchronous, preempts);
        long ours = 0;
        long stock = 0;
        for (long seed = 1; seed <= SEEDS / 2; seed++) {
            List<Arrival> arrivals = arrivals(seed, 6);
            ours += tasksOfFlood(setting, false, arrivals);
            stock += tasksOfFlood(
                    setting, true, arrivals.stream().map(Arrival::plain).toList());
        }
        assertTrue(ours >= stock / 1.05, ours + " tasks with Treadle, " + stock + " without");
    }

    private static long sum(Map<Integer, Integer> times) {
        return times.values().stream().mapToLong(Integer::longValue).sum();
    }
}
