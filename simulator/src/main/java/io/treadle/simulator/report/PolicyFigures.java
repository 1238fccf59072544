// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.Summary;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * All that the page shows of one policy.
 *
 * @param jctSeconds completion times at shares that are equally far apart, in order
 * @param fairness finish-time fairness of jobs at shares that are equally far apart, in order
 * @param deadlineUse completion time over the time up to the deadline, of jobs that have one, likewise
 * @param utility what the jobs are worth together that have ended by the start of each stretch of {@code series}, and by
 *     the end of the last; all 0 where of no job it is said by when it should end
 * @param outages when nodes were down, the first of them
 * @param draw what it drew; empty where nobody knows
 * @param draws that of whose jobs
 * @param lastMs the last thing that happened, ms since the trace's zero
 */
@SuppressWarnings("ArrayRecordComponent") // not compared, and nobody changes it
record PolicyFigures(
        Summary summary,
        OptionalDouble p95WaitSeconds,
        OptionalDouble p99WaitSeconds,
        double[] jctSeconds,
        double[] fairness,
        double[] deadlineUse,
        TimeSeries series,
        double[] utility,
        List<Groups.Group> queues,
        List<Groups.Group> sizes,
        List<Groups.Group> lengths,
        RunColumns runs,
        List<Outage> outages,
        Optional<Draw> draw,
        Draws draws,
        long lastMs) {
    /** A node by its number, and from when to when it was down, ms. */
    record Outage(int node, long fromMs, long toMs) {}

    /** Outages that the page shows: each costs it some bytes. */
    private static final int MOST_OUTAGES = 20_000;

    /** Points of a completion time curve: beyond that no screen shows more. */
    static final int CURVE_POINTS = 400;
    /** Stretches of the curves over time. */
    static final int STRETCHES = 600;

    static PolicyFigures of(
            Summary summary, RunLog log, JobTimes times, TimeSeries series, IntPredicate counts, RunColumns runs) {
        Groups.Group all = Groups.of(Grouping.ALL, log, times, counts).get(0);
        return new PolicyFigures(
                summary,
                all.waitSeconds().quantiles().at(0.95),
                all.waitSeconds().quantiles().at(0.99),
                all.jctSeconds().quantiles().thinned(CURVE_POINTS),
                all.fairness().quantiles().thinned(CURVE_POINTS),
                deadlineUse(log, times, counts).thinned(CURVE_POINTS),
                series,
                utility(log, series, counts),
                Groups.of(Grouping.QUEUE, log, times, counts),
                Groups.of(Grouping.SIZE, log, times, counts),
                Groups.of(Grouping.LENGTH, log, times, counts),
                runs,
                outages(log),
                log.draw(),
                Draws.of(log),
                log.lastMs());
    }

    private static Quantiles deadlineUse(RunLog log, JobTimes times, IntPredicate counts) {
        return new Quantiles(IntStream.range(0, log.jobs().size())
                .filter(counts)
                .mapToObj(times.goals()::deadlineUse)
                .flatMapToDouble(OptionalDouble::stream)
                .toArray());
    }

    private static double[] utility(RunLog log, TimeSeries series, IntPredicate counts) {
        long zeroMs = log.jobs().get(0).submitMs();
        double[] sums = new double[series.stretches() + 1];
        for (int job = 0; job < log.jobs().size(); job++) {
            long endMs = log.endMs(job);
            TraceJob asked = log.jobs().get(job);
            if (asked.hasWorth() && counts.test(job) && endMs != RunLog.NEVER) {
                double after = (endMs - zeroMs) / (1000 * series.stretchSeconds());
                sums[(int) Math.min(series.stretches(), Math.ceil(after))] +=
                        asked.worth(endMs).orElseThrow();
            }
        }
        for (int i = 1; i < sums.length; i++) {
            sums[i] += sums[i - 1];
        }
        return sums;
    }

    private static List<Outage> outages(RunLog log) {
        List<Outage> outages = new ArrayList<>();
        Map<Integer, Long> downMs = new LinkedHashMap<>();
        for (int change = 0; change < log.nodeChanges() && outages.size() < MOST_OUTAGES; change++) {
            int node = log.changedNode(change);
            if (log.isDown(change)) {
                downMs.put(node, log.changedMs(change));
            } else {
                long fromMs = Objects.requireNonNull(downMs.remove(node));
                outages.add(new Outage(node, fromMs, log.changedMs(change)));
            }
        }
        downMs.forEach((node, fromMs) -> outages.add(new Outage(node, fromMs, log.lastMs() + 1)));
        return outages;
    }
}
