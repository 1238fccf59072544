// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What came of one simulation, as far as goals ask for it.
 *
 * @param utilization share of all GPU time that was handed out, 0 to 1
 * @param makespanSeconds from the first submission to the last end; infinite where a job that should end did not
 * @param jobs how many ended
 * @param all of all measured jobs
 * @param queues of those of each queue
 */
record Figures(double utilization, double makespanSeconds, int jobs, JobFigures all, Map<String, JobFigures> queues) {
    Figures {
        queues = Map.copyOf(queues);
    }

    /** Empty lists of jobs have no figures: there is at least one whose work ends. */
    static Figures of(Outcome outcome) {
        List<JobRun> jobs = outcome.measured().stream()
                .filter(job -> job.job().work().ends())
                .toList();
        Map<String, List<JobRun>> byQueue = new TreeMap<>();
        jobs.forEach(job -> byQueue.computeIfAbsent(job.job().queue(), name -> new ArrayList<>())
                .add(job));
        Map<String, JobFigures> queues = new TreeMap<>();
        byQueue.forEach((queue, some) -> queues.put(queue, JobFigures.of(some)));
        long first = outcome.jobs().get(0).job().submitMs();
        boolean allEnded = jobs.stream().allMatch(JobRun::isEnded);
        return new Figures(
                outcome.gpuUtilization(),
                allEnded
                        ? (jobs.stream().mapToLong(JobRun::endMs).max().orElse(first) - first) / 1000.0
                        : Double.POSITIVE_INFINITY,
                (int) jobs.stream().filter(JobRun::isEnded).count(),
                JobFigures.of(jobs),
                queues);
    }

    /** The figure that a goal is about. */
    double of(Goal goal) {
        return switch (goal.measure()) {
            case UTILIZATION -> utilization;
            case MAKESPAN -> makespanSeconds;
            case WAIT, JCT, SLOWDOWN -> {
                JobFigures some = goal.queue().isEmpty()
                        ? all
                        : Objects.requireNonNull(queues.get(goal.queue().get()), goal.text());
                yield some.of(goal.statistic().orElseThrow(), goal.measure());
            }
        };
    }
}
