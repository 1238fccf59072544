// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.treadle.simulator.report.Grouping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;
import org.jspecify.annotations.Nullable;

/**
 * How far the replay under one policy is from history.
 *
 * @param rankCorrelation Spearman's of real and simulated waits; absent where one of them is the same for all jobs
 * @param verdict how far to trust it, in a sentence
 */
@JsonPropertyOrder({"policy", "verdict", "all"})
public record Calibration(
        String policy, String verdict, Gap all, @Nullable Double rankCorrelation, BusyGpus busyGpus, List<Gap> groups) {
    public Calibration {
        groups = List.copyOf(groups);
    }

    /** @param jobs at least one */
    static Calibration of(String policy, List<Twice> jobs) {
        Gap all = Gap.of("all", "all", jobs);
        Double rank = rankCorrelation(jobs);
        BusyGpus busy = BusyGpus.of(jobs);
        List<Gap> groups = new ArrayList<>();
        for (Grouping grouping : List.of(Grouping.QUEUE, Grouping.SIZE)) {
            Map<String, List<Twice>> members = new LinkedHashMap<>();
            grouping.fixed().forEach(group -> members.put(group, new ArrayList<>()));
            jobs.forEach(job -> grouping.of().apply(job.job()).ifPresent(group -> members.computeIfAbsent(
                            group, key -> new ArrayList<>())
                    .add(job)));
            members.forEach((group, of) -> {
                if (!of.isEmpty()) {
                    groups.add(Gap.of(grouping.name(), group, of));
                }
            });
        }
        return new Calibration(policy, Verdict.of(policy, jobs, all, rank), all, rank, busy, groups);
    }

    private static @Nullable Double rankCorrelation(List<Twice> jobs) {
        if (jobs.size() < 2) {
            return null;
        }
        double rank = new SpearmansCorrelation()
                .correlation(
                        jobs.stream().mapToDouble(Twice::realWait).toArray(),
                        jobs.stream().mapToDouble(Twice::simulatedWait).toArray());
        return Double.isNaN(rank) ? null : rank;
    }
}
