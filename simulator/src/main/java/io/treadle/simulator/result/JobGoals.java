// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import io.treadle.core.policy.order.Ftf;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.TraceJob;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What a run made of its jobs' deadlines, and how fair it was to each.
 *
 * <p>Finish-time fairness (Themis, NSDI 2020, §3): a job's completion time over that which it would have alone on one of
 * N equal parts of its partition's GPUs, where N is the mean number of jobs there while it was there. On fewer GPUs than it
 * asks for it is slower in proportion. Run times below {@link Slowdown#LEAST_SECONDS} count as that.
 */
public final class JobGoals {
    private final List<TraceJob> jobs;
    private final long[] endMs;
    private final long lastMs;
    private final double[] rho;

    /**
     * @param jobs in order of submission
     * @param endMs when each ended, ms since the trace's zero; {@link Long#MAX_VALUE} for one that has not
     * @param lastMs the last thing that happened
     */
    public JobGoals(SimCluster cluster, List<TraceJob> jobs, long[] endMs, long lastMs) {
        this.jobs = jobs;
        this.endMs = endMs;
        this.lastMs = lastMs;
        rho = new double[jobs.size()];
        Arrays.fill(rho, Double.NaN);
        Map<String, String> partitionOf = new HashMap<>();
        Map<String, IntStream.Builder> byPartition = new HashMap<>();
        for (int job = 0; job < jobs.size(); job++) {
            if (jobs.get(job).work().ends()) {
                String partition = partitionOf.computeIfAbsent(
                        jobs.get(job).queue(),
                        queue -> cluster.partitionOf(queue).orElseThrow().name());
                byPartition
                        .computeIfAbsent(partition, any -> IntStream.builder())
                        .add(job);
            }
        }
        for (Partition partition : cluster.partitions()) {
            IntStream.Builder here = byPartition.get(partition.name());
            if (here != null) {
                rate(here.build().toArray(), partition.capacity().gpus());
            }
        }
    }

    private void rate(int[] here, long gpus) {
        Crowd crowd = new Crowd(
                Arrays.stream(here).mapToLong(job -> jobs.get(job).submitMs()).toArray(),
                Arrays.stream(here)
                        .mapToLong(job -> Math.min(endMs[job], lastMs))
                        .toArray());
        for (int job : here) {
            if (endMs[job] != Long.MAX_VALUE) {
                TraceJob asked = jobs.get(job);
                double crowdedBy = crowd.mean(asked.submitMs(), endMs[job]) * asked.gpus() / Math.max(1, gpus);
                double alone = Math.max(Slowdown.LEAST_SECONDS, asked.work().seconds()) * Math.max(1, crowdedBy);
                rho[job] = Ftf.rho((endMs[job] - asked.submitMs()) / 1000.0, alone);
            }
        }
    }

    /** Of a job that has ended, by its number; at most 1 is fair. */
    public OptionalDouble fairness(int job) {
        return Double.isNaN(rho[job]) ? OptionalDouble.empty() : OptionalDouble.of(rho[job]);
    }

    /** Whether a job has a deadline of which it is known whether it was met. */
    public boolean hasDeadline(int job) {
        return deadline(job).isPresent() && (endMs[job] != Long.MAX_VALUE || isMissed(job));
    }

    /** Whether it ended after its deadline, or had not ended when the run was over beyond it. */
    public boolean isMissed(int job) {
        OptionalLong deadline = deadline(job);
        return deadline.isPresent()
                && Math.min(endMs[job], lastMs) > jobs.get(job).submitMs() + deadline.getAsLong();
    }

    /** Completion time over the time up to the deadline, of a job that has a deadline and has ended. */
    public OptionalDouble deadlineUse(int job) {
        OptionalLong deadline = deadline(job);
        return deadline.isEmpty() || endMs[job] == Long.MAX_VALUE
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        (double) (endMs[job] - jobs.get(job).submitMs()) / Math.max(1, deadline.getAsLong()));
    }

    private OptionalLong deadline(int job) {
        return Objects.requireNonNull(jobs.get(job)).attributes().deadlineMs();
    }
}
