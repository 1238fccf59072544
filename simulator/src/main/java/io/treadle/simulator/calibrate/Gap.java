// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What jobs of a group really waited and took, and what they did in the simulation; s.
 *
 * @param grouping by what jobs are grouped: {@code all}, {@code queue} or {@code gpus}
 * @param closeShare part of the jobs, 0 to 1, whose simulated wait is within a minute of the real one or no more than twice
 *     and no less than half of it
 */
@JsonPropertyOrder({"grouping", "group", "jobs"})
public record Gap(
        String grouping,
        String group,
        int jobs,
        double realMeanWaitSeconds,
        double simulatedMeanWaitSeconds,
        double realMedianWaitSeconds,
        double simulatedMedianWaitSeconds,
        double realMeanJctSeconds,
        double simulatedMeanJctSeconds,
        double realMedianJctSeconds,
        double simulatedMedianJctSeconds,
        double closeShare) {
    private static final double CLOSE_SECONDS = 60;
    private static final double CLOSE_FACTOR = 2;

    /** @param jobs at least one */
    static Gap of(String grouping, String group, List<Twice> jobs) {
        return new Gap(
                grouping,
                group,
                jobs.size(),
                mean(jobs, Twice::realWait),
                mean(jobs, Twice::simulatedWait),
                median(jobs, Twice::realWait),
                median(jobs, Twice::simulatedWait),
                mean(jobs, Twice::realJct),
                mean(jobs, Twice::simulatedJct),
                median(jobs, Twice::realJct),
                median(jobs, Twice::simulatedJct),
                (double) jobs.stream().filter(Gap::isClose).count() / jobs.size());
    }

    private static boolean isClose(Twice job) {
        double real = job.realWait();
        double simulated = job.simulatedWait();
        return Math.abs(real - simulated) <= CLOSE_SECONDS
                || (simulated <= CLOSE_FACTOR * real && real <= CLOSE_FACTOR * simulated);
    }

    private static double mean(List<Twice> jobs, ToDoubleFunction<Twice> value) {
        return jobs.stream().mapToDouble(value).sum() / jobs.size();
    }

    /** Between the two in the middle of an even number. */
    private static double median(List<Twice> jobs, ToDoubleFunction<Twice> value) {
        double[] sorted = jobs.stream().mapToDouble(value).sorted().toArray();
        return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
                .average()
                .orElseThrow();
    }

    /** How much longer than really the jobs wait in the simulation, as a part of what they really do; NaN for 0 of 0. */
    double waitError() {
        return simulatedMeanWaitSeconds / realMeanWaitSeconds - 1;
    }

    double jctError() {
        return simulatedMeanJctSeconds / realMeanJctSeconds - 1;
    }
}
