// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/**
 * Finish-time fairness (Themis, NSDI 2020): first the job that has been delayed most, by the ratio of the time that it
 * will have taken to the time that it takes alone. Where its run time is not known, by the ratio of the time since it
 * came to the time that it has run.
 */
public final class Ftf implements Order {
    private final boolean inverted;

    /** @param inverted whether the least delayed is served first, as in Synergy's artifact */
    public Ftf(boolean inverted) {
        this.inverted = inverted;
    }

    public Ftf() {
        this(false);
    }

    @Override
    public String name() {
        return "ftf";
    }

    @Override
    public double key(JobView job, Moment moment) {
        double delay = delay(job, moment);
        return inverted ? delay : -delay;
    }

    @Override
    public double keyWhileItRuns(JobView job, Moment moment, double seconds) {
        double more = job.progress().isTimed() ? seconds / alone(job) : 0;
        return key(job, moment) - more;
    }

    private static double alone(JobView job) {
        return job.progress().samplesTotal() * job.progress().secondsPerSample();
    }

    private static double delay(JobView job, Moment moment) {
        double since = (moment.nowMs() - job.submitMs()) / 1000.0;
        if (!job.progress().isTimed()) {
            return since / Math.max(1, Unknown.key(job, moment));
        }
        return rho(since + job.progress().secondsLeft(moment.nowMs()), alone(job));
    }

    /**
     * The ratio itself.
     *
     * @param sharedSeconds from a job's submission to its end, among others
     * @param aloneSeconds the same, if it had its share to itself
     */
    public static double rho(double sharedSeconds, double aloneSeconds) {
        return sharedSeconds / aloneSeconds;
    }

    @Override
    public boolean isTimeless() {
        return false;
    }
}
