// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The workload generator of Synergy's artifact (msr-fiddle/synergy 1bb2bed), number for number: arrivals by a Poisson
 * process in whole seconds, durations of 60·10^u seconds, classes by the share that is missing most, models in turn.
 */
final class SynergyWorkload {
    private static final List<List<String>> MODELS = List.of(
            List.of("alexnet", "res18", "res50", "mobilenet", "shufflenet"),
            List.of("gnmt", "transformer", "lstm"),
            List.of("m5", "deepspeech"));
    static final List<String> TASKS = List.of("IMAGE", "LANG", "SPEECH");
    /** The artifact draws the durations of the Philly records once, from its default seed, and keeps them in a file. */
    private static final int KEPT_SEED = 42;
    /** The seed with which the GPU counts of the reference list {@code standin-multi} were drawn. */
    private static final int COUNTS_SEED = 7;

    private static final int HOUR_SECONDS = 3600;
    private static final double LONG_JOBS_FROM = 0.8;

    /** GPU counts of the jobs. */
    enum Gpus {
        /** One GPU each; durations come before all else, from a stream of their own. */
        SINGLE,
        /** 1, 2, 4 and 8 in 70, 10, 15 and 5 % of the jobs. */
        SYNTHETIC,
        /** As {@link #SINGLE}, with the counts of Philly's jobs that Gavel carries. */
        PHILLY;

        /** Percent of the jobs by GPU count. */
        Map<Integer, Double> percent() {
            return switch (this) {
                case SINGLE -> Map.of(1, 100.0);
                case SYNTHETIC -> new TreeMap<>(Map.of(1, 70.0, 2, 10.0, 4, 15.0, 8, 5.0));
                case PHILLY -> PhillyCount.percent();
            };
        }
    }

    /** Jobs by GPU count on Gavel's Philly lists (stanford-futuredata/gavel c4fa400, traces/msr/seed=0). */
    private enum PhillyCount {
        ONE(1, 10_482),
        TWO(2, 463),
        FOUR(4, 2044),
        EIGHT(8, 1906),
        SIXTEEN(16, 255);

        private static final double ALL = 15_150;
        private final int gpus;
        private final int jobs;

        PhillyCount(int gpus, int jobs) {
            this.gpus = gpus;
            this.jobs = jobs;
        }

        static Map<Integer, Double> percent() {
            Map<Integer, Double> percent = new TreeMap<>();
            for (PhillyCount count : values()) {
                percent.put(count.gpus, 100 * count.jobs / ALL);
            }
            return percent;
        }

        static int of(double random) {
            double at = random * ALL;
            for (PhillyCount count : values()) {
                at -= count.jobs;
                if (at < 0) {
                    return count.gpus;
                }
            }
            return SIXTEEN.gpus;
        }
    }

    /**
     * A job.
     *
     * @param task index into {@link #TASKS}
     * @param arrivalSeconds whole
     * @param drawnSeconds run time at the fair share, before it is cut to whole iterations
     */
    record Job(int id, long arrivalSeconds, int gpus, String model, int task, double drawnSeconds) {}

    private SynergyWorkload() {}

    /** @param split percent of image, language and speech jobs */
    static List<Job> draw(int jobs, int seed, double jobsPerHour, int[] split, Gpus gpus) {
        PythonRandom random = new PythonRandom(seed);
        PythonRandom kept = new PythonRandom(KEPT_SEED);
        PythonRandom counts = new PythonRandom(COUNTS_SEED);
        int[] arrived = new int[MODELS.size()];
        List<Job> list = new ArrayList<>(jobs);
        long arrival = 0;
        for (int id = 0; id < jobs; id++) {
            arrival += (long) Math.ceil(-Math.log(1.0 - random.random()) / jobsPerHour * HOUR_SECONDS);
            double seconds = duration(gpus == Gpus.SYNTHETIC ? random : kept);
            int count =
                    switch (gpus) {
                        case SINGLE -> 1;
                        case SYNTHETIC -> synthetic(random.uniform(0, 1));
                        case PHILLY -> PhillyCount.of(counts.random());
                    };
            // The artifact draws one and throws it away.
            random.digit();
            int task = mostMissing(split, arrived, id);
            List<String> models = MODELS.get(task);
            list.add(new Job(id, arrival, count, models.get(arrived[task] % models.size()), task, seconds));
            arrived[task]++;
        }
        return list;
    }

    private static double duration(PythonRandom random) {
        boolean isLong = random.random() >= LONG_JOBS_FROM;
        return 60 * Math.pow(10, isLong ? random.uniform(3, 4) : random.uniform(1.5, 3));
    }

    private static int synthetic(double share) {
        return share >= .95 ? 8 : share >= .8 ? 4 : share >= .7 ? 2 : 1;
    }

    /** The first of those that miss most; in whole numbers, so that equal shares are equal. */
    private static int mostMissing(int[] split, int[] arrived, int jobs) {
        int best = 0;
        for (int task = 1; task < split.length; task++) {
            long missing = (long) split[task] * jobs - 100L * arrived[task];
            if (missing > (long) split[best] * jobs - 100L * arrived[best]) {
                best = task;
            }
        }
        return best;
    }
}
