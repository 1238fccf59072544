// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.GpuBucket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Draws a trace. The same target and seed give the same trace. */
final class Generator {
    private static final int ORDERS = 64;

    private Generator() {}

    /**
     * What to draw.
     *
     * @param table of durations and GPU counts
     * @param queues GPUs of each queue; empty for none
     * @param rate how close together
     */
    record Target(ClusterProfile profile, JointTable table, Map<String, Long> queues, Rate rate, int jobs) {
        private static final double AGREEMENT = 0.03;

        /** Whether no GPU count was left out. */
        boolean isWhole() {
            return table.buckets().equals(profile.buckets());
        }

        /** Percent of the published jobs that are left out. */
        double percentLeftOut() {
            double before = percent(profile.buckets());
            return (1 - percent(table.buckets()) / before) * 100;
        }

        private static double percent(List<GpuBucket> buckets) {
            return buckets.stream().mapToDouble(GpuBucket::percent).sum();
        }

        /** Whether the published mean of all jobs is that of the published means by GPU count. */
        boolean isMeanInAgreement() {
            return Math.abs(table.meanSeconds() / profile.meanDurationSeconds() - 1) <= AGREEMENT;
        }
    }

    /** How close together jobs come. */
    interface Rate {
        /** @return what the trace covers, s */
        double span(int jobs, double gpuSeconds);

        static Rate jobsPerHour(double rate) {
            return (jobs, gpuSeconds) -> jobs / rate * ArrivalCurve.HOUR_SECONDS;
        }

        /** @param load GPU-seconds asked over GPU-seconds there */
        static Rate load(double load, long gpus) {
            return (jobs, gpuSeconds) -> gpuSeconds / (load * gpus);
        }
    }

    static GeneratedTrace draw(Target target, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int jobs = target.jobs();
        int[] duration = new int[jobs];
        int[] gpus = new int[jobs];
        sizes(target, duration, gpus, random.split());
        shuffle(duration, gpus, random.split());
        int[] byGpuTime = byGpuTime(duration, gpus);
        Users users = new Users(target.profile().users(), target.queues(), random.split());
        int[] user = users.assign(byGpuTime, duration, gpus, random.split());
        byte[] state = States.assign(target.profile().states(), byGpuTime, duration, gpus, random.split());
        double work = 0;
        for (int job = 0; job < jobs; job++) {
            work += (double) duration[job] * gpus[job];
        }
        ArrivalCurve curve = new ArrivalCurve(
                target.profile().hours(),
                target.profile().weekdays(),
                Math.max(1, target.rate().span(jobs, work)));
        long[] submit = Arrivals.draw(curve, bursts(target.profile()).sizes(jobs, random.split()), random.split());
        return new GeneratedTrace(
                curve.span(),
                submit,
                duration,
                gpus,
                user,
                state,
                target.profile().states().stream()
                        .map(ClusterProfile.StateShare::name)
                        .toList(),
                users.queues());
    }

    /** Batches that give Venus' ratio at the cluster's own rate; at another rate they stay and the ratio changes. */
    static Bursts bursts(ClusterProfile profile) {
        int weeks = 52;
        double hours = (double) weeks * ArrivalCurve.DAYS * ArrivalCurve.HOURS;
        ArrivalCurve own = new ArrivalCurve(profile.hours(), profile.weekdays(), hours * ArrivalCurve.HOUR_SECONDS);
        return new Bursts(own.dispersion((int) Math.round(profile.jobsPerHour() * hours)));
    }

    private static void sizes(Target target, int[] duration, int[] gpus, SplittableRandom random) {
        JointTable table = target.table();
        double[] shares = new double[table.buckets().size()];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = table.bucketShare(i);
        }
        int[] counts = Systematic.split(target.jobs(), shares, random);
        int job = 0;
        for (int i = 0; i < shares.length; i++) {
            GpuBucket bucket = table.buckets().get(i);
            int[] drawn =
                    table.durations(i).draw(counts[i], bucket.meanDurationSeconds() - JointTable.ROUNDING, random);
            int[] sizes = gpus(bucket, counts[i], random);
            pair(drawn, sizes, random);
            System.arraycopy(sizes, 0, gpus, job, sizes.length);
            System.arraycopy(drawn, 0, duration, job, drawn.length);
            job += drawn.length;
        }
    }

    private static int[] gpus(GpuBucket bucket, int jobs, SplittableRandom random) {
        int[] parts = Systematic.split(
                jobs,
                bucket.counts().stream()
                        .mapToDouble(ClusterProfile.GpuCount::share)
                        .toArray(),
                random);
        int[] gpus = new int[jobs];
        int at = 0;
        for (int c = 0; c < parts.length; c++) {
            Arrays.fill(gpus, at, at + parts[c], bucket.counts().get(c).gpus());
            at += parts[c];
        }
        return gpus;
    }

    /**
     * Brings the durations into an order of chance. What is published of a bucket is its GPU time: of several orders the
     * one is taken that comes nearest to it, or the longest job of the most GPUs could hold more than all the others.
     */
    private static void pair(int[] duration, int[] gpus, SplittableRandom random) {
        double seconds = Arrays.stream(duration).asLongStream().sum();
        double due = seconds * Arrays.stream(gpus).asLongStream().sum() / Math.max(1, gpus.length);
        boolean isOneCount = Arrays.stream(gpus).distinct().count() <= 1;
        int[] best = duration.clone();
        double nearest = Double.POSITIVE_INFINITY;
        for (int order = 0; order < (isOneCount ? 1 : ORDERS); order++) {
            shuffle(duration, duration.clone(), random);
            double work = 0;
            for (int job = 0; job < gpus.length; job++) {
                work += (double) duration[job] * gpus[job];
            }
            if (Math.abs(work - due) < nearest) {
                nearest = Math.abs(work - due);
                best = duration.clone();
            }
        }
        System.arraycopy(best, 0, duration, 0, best.length);
    }

    /** Both in the same new order. */
    private static void shuffle(int[] first, int[] second, SplittableRandom random) {
        for (int i = first.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = first[i];
            first[i] = first[other];
            first[other] = kept;
            kept = second[i];
            second[i] = second[other];
            second[other] = kept;
        }
    }

    /** Jobs, those with the most GPU-seconds first. */
    private static int[] byGpuTime(int[] duration, int[] gpus) {
        // GPU-seconds are below 2^39 and there are fewer than 2^24 jobs: both fit into one number that sorts.
        long[] keys = new long[duration.length];
        for (int job = 0; job < keys.length; job++) {
            keys[job] = ((long) duration[job] * gpus[job]) << 24 | job;
        }
        Arrays.sort(keys);
        int[] jobs = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            jobs[i] = (int) (keys[keys.length - 1 - i] & 0xffffff);
        }
        return jobs;
    }
}
