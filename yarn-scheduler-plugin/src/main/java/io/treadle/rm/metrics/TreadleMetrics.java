// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.metrics;

import java.util.OptionalDouble;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableRate;

/** What the planner does, for {@code /jmx} and {@code /prom}. The fields are made by metrics2 at registration. */
@Metrics(name = TreadleMetrics.NAME, about = "Treadle's planner", context = "yarn")
@SuppressWarnings("NullAway.Init") // metrics2 sets the annotated fields by reflection when the source is registered
public final class TreadleMetrics {
    static final String NAME = "TreadleMetrics";

    @Metric("jobs that wait for their gang")
    MutableGaugeInt jobsWaiting;

    @Metric("jobs that hold containers")
    MutableGaugeInt jobsRunning;

    @Metric("queues that behave as plain capacity because their policy failed")
    MutableGaugeInt queuesPlain;

    @Metric("waiting gangs for which room is reserved on nodes")
    MutableGaugeInt gangReservations;

    @Metric("gangs granted whole")
    MutableCounterLong gangsGranted;

    @Metric("gangs planned and then refused at commit")
    MutableCounterLong gangsRefused;

    @Metric("containers grown or shrunk by the scheduler")
    MutableCounterLong containersResized;

    @Metric("rounds in which a policy failed, was too slow or broke a rule")
    MutableCounterLong policyFailures;

    @Metric("failures of Treadle's own: in a round of the planner, or in the handling of an event")
    MutableCounterLong failures;

    @Metric("how long the planner has been stuck, s; 0 where it is not")
    MutableGaugeLong plannerStuckSeconds;

    @Metric("proposals from outside a plan that were refused")
    MutableCounterLong vetoes;

    @Metric("times that an application was left out on a node for a while, refused there again and again")
    MutableCounterLong leftOut;

    @Metric("what all nodes draw with their GPUs, W")
    MutableGaugeLong powerWatts;

    @Metric("what all nodes may draw with their GPUs, W; 0 for no limit")
    MutableGaugeLong powerBudgetWatts;

    @Metric("energy of all GPUs, J")
    MutableGaugeLong energyJoules;

    @Metric(value = "holds of CapacityScheduler's write lock by Treadle, us", always = true)
    MutableRate lockHold;

    @Metric("planning rounds")
    MutableRate round;

    @Metric("snapshots of all queues of a round, ms")
    MutableRate roundSnapshots;

    @Metric("policies of all queues of a round, ms")
    MutableRate roundPolicies;

    private final AdmissionMetrics admission = new AdmissionMetrics();

    private TreadleMetrics() {}

    /** Registers anew: after a failover the source of the scheduler before is still there. */
    public static TreadleMetrics register() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
        return DefaultMetricsSystem.instance().register(NAME, "Treadle's planner", new TreadleMetrics());
    }

    public void jobs(int waiting, int running) {
        jobsWaiting.set(waiting);
        jobsRunning.set(running);
    }

    public void plainQueues(int count) {
        queuesPlain.set(count);
    }

    public void reservations(int count) {
        gangReservations.set(count);
    }

    public void gangGranted() {
        gangsGranted.incr();
    }

    public void gangRefused() {
        gangsRefused.incr();
    }

    public void resized(int containers) {
        containersResized.incr(containers);
    }

    public void policyFailed() {
        policyFailures.incr();
    }

    /** Something of ours failed that is no policy. */
    public void failed() {
        failures.incr();
    }

    public long failureCount() {
        return failures.value();
    }

    /** @param seconds 0 where the planner is not stuck */
    public void plannerStuck(long seconds) {
        plannerStuckSeconds.set(seconds);
    }

    public void vetoed() {
        vetoes.incr();
    }

    public void leftOut() {
        leftOut.incr();
    }

    public long vetoCount() {
        return vetoes.value();
    }

    /** @param budgetWatts what may be drawn, W; empty for no limit */
    public void power(double watts, OptionalDouble budgetWatts, double joules) {
        powerWatts.set(Math.round(watts));
        powerBudgetWatts.set(Math.round(budgetWatts.orElse(0)));
        energyJoules.set(Math.round(joules));
    }

    /** What is told of each queue. */
    public AdmissionMetrics admission() {
        return admission;
    }

    /** Treadle held CapacityScheduler's write lock for so long, ns. */
    public void lockHeld(long nanos) {
        lockHold.add(nanos / 1_000);
    }

    /**
     * @param millis all of a round
     * @param snapshotMillis the part in which the snapshots of its queues were made
     * @param policyMillis the part in which their policies planned
     */
    public void roundTook(long millis, long snapshotMillis, long policyMillis) {
        round.add(millis);
        roundSnapshots.add(snapshotMillis);
        roundPolicies.add(policyMillis);
    }
}
