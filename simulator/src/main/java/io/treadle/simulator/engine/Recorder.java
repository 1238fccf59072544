// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.cluster.SimCluster;
import java.util.List;
import java.util.Optional;

/** Follows a run: how much of the cluster is in use over time, and when enough has been seen. */
final class Recorder {
    private final Usage usage;
    private final long capacityParts;
    private final int nodes;
    private final long measured;
    private final java.util.function.Predicate<JobRun> isMeasured;
    private final Progress progress;
    private final Journal journal;
    private final Optional<PowerMeter> meter;
    private final Optional<NodeSleep> sleep;
    private long lastMs;
    private boolean begun;
    private double usedPartMs;
    private double strandedPartMs;
    private double freePartMs;
    private double totalMs;
    /** Parts of nodes that are down. */
    private long downParts;

    private double downPartMs;
    private long downNodes;
    private long events;
    private long measuredEnded;
    private long ended;

    /** Is told now and then how many jobs have ended. */
    interface Progress {
        void ended(long jobs);
    }

    /**
     * @param measured how many jobs must end before enough has been seen
     * @param isMeasured which these are
     * @param queues is told what jobs draw
     */
    Recorder(
            SimCluster cluster,
            long measured,
            java.util.function.Predicate<JobRun> isMeasured,
            Progress progress,
            Journal journal,
            Optional<NodeSleep> sleep,
            Optional<QueueMeter> queues) {
        this.sleep = sleep;
        this.journal = journal;
        this.usage = new Usage(cluster);
        this.nodes = cluster.nodes();
        this.capacityParts = cluster.capacity().gpus() * Usage.CARD;
        this.measured = measured;
        this.isMeasured = isMeasured;
        this.progress = progress;
        this.meter = cluster.power()
                .map(power -> new PowerMeter(
                        power.view(), cluster.nodes(), cluster.capacity().gpus(), sleep, queues));
    }

    void at(long nowMs) {
        if (begun) {
            double ms = nowMs - lastMs;
            usedPartMs += ms * usage.usedParts();
            strandedPartMs += ms * usage.strandedParts();
            freePartMs += ms * (capacityParts - usage.usedParts() - downParts);
            downPartMs += ms * downParts;
            totalMs += ms;
            meter.ifPresent(power -> power.ran(lastMs, nowMs, downNodes, downParts / Usage.CARD));
        }
        begun = true;
        lastMs = nowMs;
    }

    void came(JobRun job) {
        events++;
        journal.came(job, lastMs);
    }

    void started(JobRun job) {
        meter.ifPresent(power -> power.begins(job));
        events++;
        take(job.placements());
        journal.started(job, lastMs, job.placements());
    }

    /** Its GPUs are the same. */
    void resized(JobRun job) {
        journal.resized(job, lastMs, job.placements());
    }

    void stopped(JobRun job) {
        meter.ifPresent(power -> power.ends(job));
        events++;
        giveBack(job.placements());
        journal.stopped(job, lastMs);
    }

    void failed(JobRun job) {
        meter.ifPresent(power -> power.ends(job));
        events++;
        giveBack(job.placements());
        journal.failed(job, lastMs);
    }

    void nodeDown(String node) {
        events++;
        downNodes++;
        downParts += usage.capacityParts(node);
        journal.nodeDown(node, lastMs);
    }

    void nodeUp(String node) {
        events++;
        downNodes--;
        downParts -= usage.capacityParts(node);
        journal.nodeUp(node, lastMs);
    }

    /** @param before where it was */
    void moved(JobRun job, List<TaskPlacement> before) {
        events++;
        giveBack(before);
        take(job.placements());
        journal.moved(job, lastMs, job.placements());
    }

    /** It goes on if it gets another place, or lease, at this moment. */
    void returned(JobRun job) {
        meter.ifPresent(power -> power.ends(job));
        giveBack(job.placements());
        journal.returned(job, lastMs);
    }

    /** There is no room for it and never will be. */
    void leftOut(JobRun job) {
        journal.leftOut(job, lastMs);
    }

    void ended(JobRun job) {
        meter.ifPresent(power -> power.ends(job));
        events++;
        giveBack(job.placements());
        journal.ended(job, lastMs);
        ended++;
        if (isMeasured.test(job)) {
            measuredEnded++;
        }
        progress.ended(ended);
    }

    private void take(List<TaskPlacement> tasks) {
        usage.take(tasks);
        sleep.ifPresent(nodes -> nodes.take(tasks));
    }

    private void giveBack(List<TaskPlacement> tasks) {
        usage.giveBack(tasks);
        sleep.ifPresent(nodes -> nodes.giveBack(lastMs, tasks));
    }

    /**
     * GPUs that nobody has.
     *
     * @param nodesOff nodes whose GPUs do not count; all nodes have as many
     */
    long freeGpus(int nodesOff) {
        long parts = capacityParts - usage.usedParts() - nodesOff * (capacityParts / Math.max(1, nodes));
        return Math.max(0, parts / Usage.CARD);
    }

    boolean isEnough() {
        return measuredEnded >= measured;
    }

    long downNodes() {
        return downNodes;
    }

    long lastMs() {
        return lastMs;
    }

    /** From the first thing that happened to the last. */
    double spanSeconds() {
        return totalMs / 1000;
    }

    long events() {
        return events;
    }

    /** What all nodes and GPUs have drawn; empty where nobody knows. */
    Optional<PowerMeter> meter() {
        return meter;
    }

    /** Share of all GPU time of nodes that were not down that was handed out, 0 to 1. */
    double gpuUtilization() {
        return totalMs == 0
                ? ratio(usage.usedParts(), capacityParts)
                : ratio(usedPartMs, capacityParts * totalMs - downPartMs);
    }

    /** Share of the free GPU time that was on nodes on which something ran: no job of whole nodes could have used it. */
    double fragmentation() {
        return totalMs == 0
                ? ratio(usage.strandedParts(), capacityParts - usage.usedParts())
                : ratio(strandedPartMs, freePartMs);
    }

    private static double ratio(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }
}
