// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import java.util.ArrayList;
import java.util.List;

/** A job with the sizes that it may have; a size is a number of GPUs, counted from 0 in the job's {@link EnergyProfile}. */
final class Candidate {
    /** The size of a job that has no GPU, or a number of them that its profile does not know. */
    static final int NONE = -1;

    private final JobView job;
    private final EnergyProfile energy;
    private final boolean scales;
    private final int least;
    private final int most;
    private final int held;
    private final double secondsLeft;
    private final double waitedSeconds;
    private final double attainedGpuSeconds;

    private Candidate(JobView job, EnergyProfile energy, boolean scales, int least, int most, long nowMs) {
        this.job = job;
        this.energy = energy;
        this.scales = scales;
        this.least = least;
        this.held = heldBy(job, energy);
        // What nobody is sure of is not bet on: such a job gets no more than it has.
        this.most = energy.confidence() == Confidence.LOW ? Math.max(least, Math.min(most, held)) : most;
        this.attainedGpuSeconds = job.progress().attainedGpuSeconds(nowMs);
        double told = job.progress().secondsLeft(nowMs);
        // Of whom nothing is known is taken to need as much again as it has had.
        this.secondsLeft = Double.isNaN(told)
                ? Math.max(1, attainedGpuSeconds / energy.gpus(least))
                : Math.max(1e-3, told * energy.seconds(least, energy.caps() - 1) / atShareSeconds(job, energy, least));
        this.waitedSeconds = Math.max(0, nowMs - job.submitMs()) / 1000.0;
    }

    /** Of an iteration with the tasks that the job needs, in which its progress is told; of its least size else, s. */
    private static double atShareSeconds(JobView job, EnergyProfile energy, int least) {
        int needed = energy.sizeOf(job.gpus());
        return energy.seconds(needed < 0 ? least : needed, energy.caps() - 1);
    }

    /** A job that has lost tasks starts anew as a whole. */
    private static int heldBy(JobView job, EnergyProfile energy) {
        if (!isWhole(job)) {
            return NONE;
        }
        return job.gpus() == 0 ? 0 : energy.sizeOf(job.heldGpus());
    }

    private static boolean isWhole(JobView job) {
        return job.running() && job.groups().stream().allMatch(group -> job.missing(group) == 0);
    }

    static Candidate of(JobView job, PowerView power, long nowMs) {
        List<TaskGroup> scaling =
                job.groups().stream().filter(group -> group.ask().gpus() > 0).toList();
        if (job.energy().isPresent() && scaling.size() == 1) {
            EnergyProfile energy = job.energy().get();
            TaskGroup group = scaling.get(0);
            int least = NONE;
            int most = NONE;
            for (int size = 0; size < energy.sizes(); size++) {
                long tasks = energy.gpus(size) / group.ask().gpus();
                boolean isMeant =
                        tasks * group.ask().gpus() == energy.gpus(size) && tasks >= group.min() && tasks <= group.max();
                // All sizes between the least and the most are such as well.
                if (isMeant && (least == NONE || most == size - 1)) {
                    least = least == NONE ? size : least;
                    most = size;
                }
            }
            if (least != NONE) {
                return new Candidate(job, energy, true, least, most, nowMs);
            }
        }
        // Of whom nothing is known keeps what it has.
        long gpus = Math.max(1, isWhole(job) ? job.heldGpus() : job.gpus());
        return new Candidate(job, EnergyProfile.unknown((int) gpus, Math.max(1, power.gpuWatts())), false, 0, 0, nowMs);
    }

    JobView job() {
        return job;
    }

    String id() {
        return job.id();
    }

    EnergyProfile energy() {
        return energy;
    }

    /** The smallest size that it may have. */
    int least() {
        return least;
    }

    /** The largest size that it may have. */
    int most() {
        return most;
    }

    /** The size that it has, or {@link #NONE}. */
    int held() {
        return held;
    }

    boolean running() {
        return job.running();
    }

    /** What is left of it at its least size without a cap, s. */
    double secondsLeft() {
        return secondsLeft;
    }

    /** What is left of it at a size and under a cap, s. */
    double secondsLeft(int size, int cap) {
        return secondsLeft * energy.seconds(size, cap) / energy.seconds(least, energy.caps() - 1);
    }

    double waitedSeconds() {
        return waitedSeconds;
    }

    double attainedGpuSeconds() {
        return attainedGpuSeconds;
    }

    /** GPUs of a size; none for a job without GPUs. */
    long gpus(int size) {
        return scales ? energy.gpus(size) : job.gpus();
    }

    /** The group of each task that it has at a size, groups in the job's order. */
    List<TaskGroup> tasks(int size) {
        List<TaskGroup> tasks = new ArrayList<>();
        for (TaskGroup group : job.groups()) {
            long count = scales && group.ask().gpus() > 0
                    ? energy.gpus(size) / group.ask().gpus()
                    : group.min();
            for (long i = 0; i < count; i++) {
                tasks.add(group);
            }
        }
        return tasks;
    }
}
