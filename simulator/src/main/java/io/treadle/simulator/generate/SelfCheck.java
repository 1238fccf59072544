// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.GpuBucket;
import io.treadle.simulator.generate.ClusterProfile.Knot;
import io.treadle.simulator.generate.ClusterProfile.StateShare;
import io.treadle.simulator.generate.ClusterProfile.TopUsers;
import io.treadle.simulator.generate.ClusterProfile.UserCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Holds a trace against the published figures that it was drawn from. */
final class SelfCheck {
    /** From so many jobs on curves, means and ends are judged: with fewer, one job weighs too much. */
    static final int JOBS_FOR_CURVES = 1000;
    /** From so many jobs on all bounds are judged; below, those that need many jobs are shown only. */
    static final int JOBS_FOR_ALL = 20_000;
    /** Percentage points at each point of a cumulative curve. */
    private static final double CURVE_POINTS = 2;

    private static final double MEAN_PERCENT = 5;
    private static final double HOUR_POINTS = 1;
    private static final double DAY_POINTS = 2;
    private static final double USER_POINTS = 3;
    private static final double STATE_POINTS = 1;
    private static final double STATE_TIME_POINTS = 3;
    private static final double BURST_PERCENT = 20;
    private static final double PERCENT = 100;
    private static final String[] WEEKDAYS = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
    };

    private final Generator.Target target;
    private final GeneratedTrace trace;
    private final List<Check> checks = new ArrayList<>();

    private SelfCheck(Generator.Target target, GeneratedTrace trace) {
        this.target = target;
        this.trace = trace;
    }

    static List<Check> of(Generator.Target target, GeneratedTrace trace) {
        SelfCheck check = new SelfCheck(target, trace);
        check.durations();
        check.gpuCounts();
        check.means();
        check.states();
        check.users();
        check.arrivals();
        return List.copyOf(check.checks);
    }

    private void add(Check check) {
        checks.add(trace.jobs() >= JOBS_FOR_CURVES ? check : check.notJudged());
    }

    private void addIfMany(Check check) {
        checks.add(trace.jobs() >= JOBS_FOR_ALL ? check : check.notJudged());
    }

    private void durations() {
        int[] sorted = trace.duration().clone();
        Arrays.sort(sorted);
        for (Knot knot : target.profile().durations()) {
            int count = Arrays.binarySearch(sorted, (int) Math.floor(knot.seconds()) + 1);
            // Durations are whole; the search may land anywhere among equals.
            int at = count >= 0 ? count : -count - 1;
            while (at > 0 && sorted[at - 1] > knot.seconds()) {
                at--;
            }
            add(Check.points(
                    "jobs by duration, %",
                    String.format(Locale.ROOT, "at most %,.0f s", knot.seconds()),
                    target.isWhole() ? knot.percent() : PERCENT * target.table().shareUpTo(knot.seconds()),
                    PERCENT * at / sorted.length,
                    CURVE_POINTS));
        }
    }

    private void gpuCounts() {
        double expected = 0;
        for (int i = 0; i < target.table().buckets().size(); i++) {
            GpuBucket bucket = target.table().buckets().get(i);
            expected += target.table().bucketShare(i);
            long jobs = Arrays.stream(trace.gpus())
                    .filter(gpus -> gpus <= bucket.upTo())
                    .count();
            add(Check.points(
                    "jobs by GPUs, %",
                    "at most " + bucket.upTo(), PERCENT * expected, PERCENT * jobs / trace.jobs(), CURVE_POINTS));
        }
    }

    private void means() {
        String group = "mean duration, s";
        double sum = Arrays.stream(trace.duration()).asLongStream().sum();
        Check all = Check.relative(group, "all jobs", expectedMean(), sum / trace.jobs(), MEAN_PERCENT);
        add(target.isWhole() && !target.isMeanInAgreement() ? all.notJudged() : all);
        long before = 0;
        for (GpuBucket bucket : target.table().buckets()) {
            long from = before;
            long jobs = 0;
            double seconds = 0;
            for (int job = 0; job < trace.jobs(); job++) {
                if (trace.gpus()[job] > from && trace.gpus()[job] <= bucket.upTo()) {
                    jobs++;
                    seconds += trace.duration()[job];
                }
            }
            before = bucket.upTo();
            if (jobs > 0) {
                String range = from + 1 == bucket.upTo() ? "" + bucket.upTo() : from + 1 + " to " + bucket.upTo();
                Check mean = Check.relative(
                        group,
                        String.format(Locale.ROOT, "GPUs: %s, jobs: %,d", range, jobs),
                        bucket.meanDurationSeconds(),
                        seconds / jobs,
                        MEAN_PERCENT);
                add(bucket.rough() ? mean.notJudged() : mean);
            }
        }
    }

    /** As published where all that is published is drawn from. */
    private double expectedMean() {
        return target.isWhole()
                ? target.profile().meanDurationSeconds()
                : target.table().meanSeconds();
    }

    private void states() {
        double[] jobs = new double[target.profile().states().size()];
        double[] time = new double[jobs.length];
        for (int job = 0; job < trace.jobs() && jobs.length > 0; job++) {
            jobs[trace.state(job)]++;
            time[trace.state(job)] += trace.gpuSeconds(job);
        }
        double all = trace.gpuSeconds();
        for (int i = 0; i < jobs.length; i++) {
            StateShare state = target.profile().states().get(i);
            add(Check.points(
                    "how jobs end, %",
                    state.name() + ", of jobs", state.percent(), PERCENT * jobs[i] / trace.jobs(), STATE_POINTS));
            addIfMany(Check.points(
                    "how jobs end, %",
                    state.name() + ", of GPU time",
                    state.gpuTimePercent(),
                    PERCENT * time[i] / all,
                    STATE_TIME_POINTS));
        }
    }

    private void users() {
        UserCurve curve = target.profile().users();
        double[] time = new double[curve.count()];
        for (int job = 0; job < trace.jobs(); job++) {
            time[trace.user(job)] += trace.gpuSeconds(job);
        }
        for (TopUsers top : curve.top()) {
            Check check = Check.points(
                    "GPU time of the top users, %" + (curve.isPublished() ? "" : " (assumed)"),
                    String.format(Locale.ROOT, "top %.0f %% of %d", top.percent(), curve.count()),
                    top.gpuTimePercent(),
                    Lorenz.heldByTop(time, top.percent()),
                    USER_POINTS);
            // On Seren single jobs hold more than the assumed curve leaves to a user.
            addIfMany(curve.isPublished() ? check : check.notJudged());
        }
    }

    private void arrivals() {
        ArrivalCurve curve =
                new ArrivalCurve(target.profile().hours(), target.profile().weekdays(), trace.spanSeconds());
        double[] hours = new double[ArrivalCurve.HOURS];
        double[] days = new double[ArrivalCurve.DAYS];
        double[] bins = new double[curve.bins()];
        for (long submit : trace.submit()) {
            long hour = submit / ArrivalCurve.HOUR_SECONDS;
            hours[(int) (hour % ArrivalCurve.HOURS)]++;
            days[(int) (hour / ArrivalCurve.HOURS % ArrivalCurve.DAYS)]++;
            bins[(int) Math.min(submit / ArrivalCurve.BIN_SECONDS, bins.length - 1)]++;
        }
        for (int hour = 0; hour < hours.length; hour++) {
            addIfMany(Check.points(
                    "arrivals by hour, %" + (target.profile().hours().isPublished() ? "" : " (assumed)"),
                    String.format(Locale.ROOT, "%02d", hour),
                    PERCENT * curve.hourShare(hour),
                    PERCENT * hours[hour] / trace.jobs(),
                    HOUR_POINTS));
        }
        for (int day = 0; day < days.length; day++) {
            addIfMany(Check.points(
                    "arrivals by weekday, %" + (target.profile().weekdays().isPublished() ? "" : " (assumed)"),
                    WEEKDAYS[day],
                    PERCENT * curve.dayShare(day),
                    PERCENT * days[day] / trace.jobs(),
                    DAY_POINTS));
        }
        double mean = (double) trace.jobs() / bins.length;
        double square = 0;
        for (double bin : bins) {
            square += (bin - mean) * (bin - mean);
        }
        addIfMany(Check.relative(
                "arrivals per 10 minutes",
                "variance over mean at this rate",
                Generator.bursts(target.profile()).ratio() + curve.dispersion(trace.jobs()),
                square / bins.length / mean,
                BURST_PERCENT));
    }
}
