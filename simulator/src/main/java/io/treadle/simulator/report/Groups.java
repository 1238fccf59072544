// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a policy means for the jobs of each queue, user, size and run time. */
final class Groups {
    /**
     * @param grouping the {@link Grouping}'s name
     * @param jobs all of the group that count
     * @param gpuSeconds what they ask for, GPUs times run time at the share
     * @param jctSeconds of those that have ended, as are the next
     * @param deadlines jobs with a deadline of which it is known whether it was met
     * @param misses those of them that missed it
     * @param fairness finish-time fairness of those that have ended
     * @param lostGpuSeconds what those that have ended held their GPUs for without any good
     */
    record Group(
            String grouping,
            String name,
            int jobs,
            double gpuSeconds,
            Statistic jctSeconds,
            Statistic waitSeconds,
            Statistic slowdown,
            long stops,
            long moves,
            int deadlines,
            int misses,
            Statistic fairness,
            double lostGpuSeconds) {}

    /** A mean, empty where there is nothing, and what is below and above. */
    record Statistic(OptionalDouble mean, Quantiles quantiles) {
        static Statistic of(Stream<OptionalDouble> known) {
            return of(known.flatMapToDouble(OptionalDouble::stream).toArray());
        }

        static Statistic of(double[] values) {
            double sum = 0;
            for (double value : values) {
                sum += value;
            }
            return new Statistic(
                    values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / values.length),
                    new Quantiles(values));
        }
    }

    private Groups() {}

    /**
     * Groups without jobs are left out.
     *
     * @param counts whether a job counts
     */
    static List<Group> of(Grouping grouping, RunLog log, JobTimes times, IntPredicate counts) {
        Map<String, Ints> members = new TreeMap<>();
        for (int job = 0; job < log.jobs().size(); job++) {
            if (counts.test(job)) {
                int number = job;
                grouping.of().apply(log.jobs().get(job)).ifPresent(name -> members.computeIfAbsent(
                                name, any -> new Ints())
                        .add(number));
            }
        }
        List<Group> groups = new ArrayList<>();
        Iterable<String> names = grouping.fixed().isEmpty() ? members.keySet() : grouping.fixed();
        for (String name : names) {
            Ints jobs = members.get(name);
            if (jobs != null) {
                groups.add(group(grouping, name, jobs, log, times));
            }
        }
        return groups;
    }

    private static Group group(Grouping grouping, String name, Ints jobs, RunLog log, JobTimes times) {
        double gpuSeconds = 0;
        long stops = 0;
        long moves = 0;
        int ended = 0;
        int deadlines = 0;
        int misses = 0;
        double lost = 0;
        for (int i = 0; i < jobs.size(); i++) {
            int job = jobs.get(i);
            TraceJob asked = log.jobs().get(job);
            gpuSeconds += asked.gpus() * asked.work().seconds();
            stops += times.stops(job);
            moves += times.moves(job);
            ended += times.isEnded(job) ? 1 : 0;
            deadlines += times.goals().hasDeadline(job) ? 1 : 0;
            misses += times.goals().isMissed(job) ? 1 : 0;
            lost += log.lostGpuSeconds(job);
        }
        double[] jct = new double[ended];
        double[] waits = new double[ended];
        double[] slowdowns = new double[ended];
        int next = 0;
        for (int i = 0; i < jobs.size(); i++) {
            int job = jobs.get(i);
            if (times.isEnded(job)) {
                jct[next] = times.jctSeconds(job);
                waits[next] = times.waitSeconds(job);
                slowdowns[next] = times.slowdown(job);
                next++;
            }
        }
        return new Group(
                grouping.name(),
                name,
                jobs.size(),
                gpuSeconds,
                Statistic.of(jct),
                Statistic.of(waits),
                Statistic.of(slowdowns),
                stops,
                moves,
                deadlines,
                misses,
                Statistic.of(IntStream.range(0, jobs.size())
                        .mapToObj(i -> times.goals().fairness(jobs.get(i)))),
                lost);
    }
}
