// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.StateShare;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How jobs end. A state's chance goes with a power of the job's GPU time; factors and powers are those with which its
 * share of the jobs and its share of the GPU time are the published ones. So jobs that fail are short where it is
 * published that failed jobs hold little GPU time.
 */
final class States {
    private static final double NEARLY_ALL = 0.97;
    private static final int ROUNDS = 400;
    private static final int INNER_ROUNDS = 20;
    /** Small enough not to swing. */
    private static final double STEP = 0.15;

    private States() {}

    /**
     * @param byGpuTime jobs, those with the most GPU time first
     * @return the state of each job
     */
    static byte[] assign(
            List<StateShare> shares, int[] byGpuTime, int[] duration, int[] gpus, SplittableRandom random) {
        byte[] states = new byte[byGpuTime.length];
        if (shares.isEmpty()) {
            return states;
        }
        Classes classes = Classes.of(byGpuTime, duration, gpus);
        double[][] chances = fit(shares, classes);
        int heavy = heavy(byGpuTime, duration, gpus);
        double[] jobs = new double[shares.size()];
        double[] behind = new double[shares.size()];
        // The jobs that hold nearly all GPU time: each goes to the state that is most behind in GPU time.
        for (int i = 0; i < heavy; i++) {
            double work = (double) duration[byGpuTime[i]] * gpus[byGpuTime[i]];
            add(behind, chances[classes.of(i)], work);
            int state = largest(behind);
            behind[state] -= work;
            jobs[state]++;
            states[byGpuTime[i]] = (byte) state;
        }
        // The many others: chances are scaled to what each state has still to get, in jobs.
        double[] expected = new double[shares.size()];
        for (int i = heavy; i < byGpuTime.length; i++) {
            add(expected, chances[classes.of(i)], 1);
        }
        double[] scale = new double[shares.size()];
        double all = shares.stream().mapToDouble(StateShare::percent).sum();
        for (int s = 0; s < scale.length; s++) {
            double due = shares.get(s).percent() / all * byGpuTime.length - jobs[s];
            scale[s] = Math.max(0, due) / Math.max(expected[s], 1e-12);
            behind[s] = random.nextDouble();
        }
        for (int i = heavy; i < byGpuTime.length; i++) {
            double[] chance = chances[classes.of(i)];
            for (int s = 0; s < scale.length; s++) {
                behind[s] += chance[s] * scale[s];
            }
            int state = largest(behind);
            behind[state]--;
            states[byGpuTime[i]] = (byte) state;
        }
        return states;
    }

    /** How many of the first jobs hold nearly all GPU time; never more than half of them. */
    private static int heavy(int[] byGpuTime, int[] duration, int[] gpus) {
        double all = 0;
        for (int job : byGpuTime) {
            all += (double) duration[job] * gpus[job];
        }
        double held = 0;
        int heavy = 0;
        while (heavy < byGpuTime.length / 2 && held < NEARLY_ALL * all) {
            held += (double) duration[byGpuTime[heavy]] * gpus[byGpuTime[heavy]];
            heavy++;
        }
        return heavy;
    }

    private static void add(double[] sums, double[] values, double factor) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += values[i] * factor;
        }
    }

    private static int largest(double[] values) {
        int largest = 0;
        for (int i = 1; i < values.length; i++) {
            largest = values[i] > values[largest] ? i : largest;
        }
        return largest;
    }

    /** Chance of each state in each class. */
    private static double[][] fit(List<StateShare> shares, Classes classes) {
        int count = shares.size();
        double[] factors = new double[count];
        java.util.Arrays.fill(factors, 1);
        double[] powers = new double[count];
        double[][] chances = new double[classes.size()][count];
        for (int round = 0; round < ROUNDS; round++) {
            double[] time = new double[count];
            for (int inner = 0; inner < INNER_ROUNDS; inner++) {
                double[] jobs = new double[count];
                java.util.Arrays.fill(time, 0);
                for (int c = 0; c < classes.size(); c++) {
                    double sum = 0;
                    for (int s = 0; s < count; s++) {
                        chances[c][s] = factors[s] * Math.exp(powers[s] * classes.level[c]);
                        sum += chances[c][s];
                    }
                    for (int s = 0; s < count; s++) {
                        chances[c][s] /= sum;
                        jobs[s] += chances[c][s] * classes.jobs[c];
                        time[s] += chances[c][s] * classes.time[c];
                    }
                }
                for (int s = 0; s < count; s++) {
                    factors[s] *= shares.get(s).percent() / 100 / Math.max(jobs[s], 1e-12);
                }
            }
            for (int s = 0; s < count; s++) {
                powers[s] += STEP * Math.log(shares.get(s).gpuTimePercent() / 100 / Math.max(time[s], 1e-12));
            }
        }
        return chances;
    }

    /**
     * Jobs of about the same GPU time: how many and how much time, as shares, and the log of it, centred and scaled. The
     * first are alone in their class, as each of them holds a good part of all time.
     */
    private static final class Classes {
        private static final int ALONE = 200;
        private static final double GROWTH = 0.02;

        private final double[] jobs;
        private final double[] time;
        private final double[] level;

        private Classes(int classes) {
            this.jobs = new double[classes];
            this.time = new double[classes];
            this.level = new double[classes];
        }

        static Classes of(int[] byGpuTime, int[] duration, int[] gpus) {
            Classes all = new Classes(classOf(byGpuTime.length - 1) + 1);
            double sum = 0;
            for (int i = 0; i < byGpuTime.length; i++) {
                double work = (double) duration[byGpuTime[i]] * gpus[byGpuTime[i]];
                all.jobs[classOf(i)] += 1.0 / byGpuTime.length;
                all.time[classOf(i)] += work;
                sum += work;
            }
            double mean = 0;
            for (int c = 0; c < all.size(); c++) {
                if (all.jobs[c] > 0) {
                    all.level[c] = Math.log(all.time[c] / (all.jobs[c] * byGpuTime.length));
                    mean += all.level[c] * all.jobs[c];
                    all.time[c] /= sum;
                }
            }
            double variance = 0;
            for (int c = 0; c < all.size(); c++) {
                all.level[c] -= mean;
                variance += all.level[c] * all.level[c] * all.jobs[c];
            }
            for (int c = 0; c < all.size(); c++) {
                all.level[c] /= Math.sqrt(Math.max(variance, 1e-12));
            }
            return all;
        }

        int size() {
            return jobs.length;
        }

        int of(int rank) {
            return classOf(rank);
        }

        private static int classOf(int rank) {
            return rank < ALONE ? rank : ALONE + (int) (Math.log((double) rank / ALONE) / GROWTH);
        }
    }
}
