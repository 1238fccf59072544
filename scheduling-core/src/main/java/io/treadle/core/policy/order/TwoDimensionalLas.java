// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/**
 * Discretised two-dimensional least attained service (Tiresias, NSDI 2019): jobs fall from queue to queue as their
 * GPU-seconds pass the limits; in a queue the first submitted is served first.
 */
public final class TwoDimensionalLas implements Order {
    /** GPU-seconds at which a job falls to the next queue, as in Tiresias' simulator. */
    private static final long[] LIMITS = {3250, 7200, 18_000};

    private final boolean byTurns;

    /**
     * @param byTurns whether each limit counts anew from the moment at which a job comes to the queue, in whole seconds of
     *     all its GPUs, and the last queue has one too, at which a job goes to its end: so AnalySIM's predecessor has it
     */
    public TwoDimensionalLas(boolean byTurns) {
        this.byTurns = byTurns;
    }

    public TwoDimensionalLas() {
        this(false);
    }

    @Override
    public String name() {
        return "2d-las";
    }

    @Override
    public double key(JobView job, Moment moment) {
        double attained = job.progress().attainedGpuSeconds(moment.nowMs());
        int queue = 0;
        while (queue < queues() && attained >= endOf(queue, job.gpus())) {
            queue++;
        }
        return queue;
    }

    @Override
    public long turnEndsMs(JobView job, long nowMs) {
        double attained = job.progress().attainedGpuSeconds(nowMs);
        int last = LIMITS.length - 1;
        int queue = 0;
        while (queue < last && attained >= endOf(queue, job.gpus())) {
            queue++;
        }
        double end = endOf(queue, job.gpus());
        if (attained >= end) {
            double turn = turn(last, job.gpus());
            end += (Math.floor((attained - end) / turn) + 1) * turn;
        }
        return nowMs + Math.round((end - attained) * 1000 / Math.max(1, job.gpus()));
    }

    /** How many queues a job can fall out of. */
    private int queues() {
        return byTurns ? LIMITS.length - 1 : LIMITS.length;
    }

    /** GPU-seconds in all at which a job falls out of the queue. */
    private double endOf(int queue, long gpus) {
        if (!byTurns) {
            return LIMITS[queue];
        }
        double end = 0;
        for (int i = 0; i <= queue; i++) {
            end += turn(i, gpus);
        }
        return end;
    }

    /** GPU-seconds of a job's turn in the queue: whole seconds, at least one. */
    private static double turn(int queue, long gpus) {
        long each = Math.max(1, gpus);
        return each * Math.max(1, LIMITS[queue] / each);
    }
}
