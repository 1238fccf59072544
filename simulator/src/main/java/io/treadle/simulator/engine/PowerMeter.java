// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.PowerView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Adds up what all nodes and GPUs draw. */
final class PowerMeter {
    /** Over which draw is averaged, ms. */
    private static final long WINDOW_MS = 60_000;

    private final PowerView power;
    private final long nodes;
    private final long gpus;
    private final Optional<NodeSleep> sleep;
    private final Set<JobRun> running = new LinkedHashSet<>();
    private double joules;
    private double mostWatts;
    private double limitWatts = Double.POSITIVE_INFINITY;
    private final DrawSeries series = new DrawSeries();
    private final Optional<QueueMeter> queues;
    /** What had been drawn at moments of the last minute, the oldest first. */
    private final Deque<Reading> readings = new ArrayDeque<>();

    private record Reading(long ms, double joules) {}

    /**
     * @param sleep which nodes are off, where nodes are switched off; all of them have as many GPUs
     * @param queues is told what jobs draw
     */
    PowerMeter(PowerView power, long nodes, long gpus, Optional<NodeSleep> sleep, Optional<QueueMeter> queues) {
        this.queues = queues;
        this.sleep = sleep;
        this.power = power;
        this.nodes = nodes;
        this.gpus = gpus;
    }

    void begins(JobRun job) {
        running.add(job);
    }

    void ends(JobRun job) {
        running.remove(job);
    }

    /** @param downNodes nodes that draw nothing, with their GPUs */
    void ran(long fromMs, long toMs, long downNodes, long downGpus) {
        if (readings.isEmpty()) {
            readings.add(new Reading(fromMs, joules));
        }
        // Draw changes where a job has started.
        TreeSet<Long> ends = new TreeSet<>(Set.of(toMs));
        running.stream()
                .map(job -> job.draw().startsUntilMs())
                .filter(until -> until > fromMs && until < toMs)
                .forEach(ends::add);
        long since = fromMs;
        for (long until : ends) {
            evenly(since, until, downNodes, downGpus);
            since = until;
        }
    }

    /** A time in which draw stays the same. */
    private void evenly(long fromMs, long toMs, long downNodes, long downGpus) {
        int off = sleep.map(nodesOff -> nodesOff.asleep().size()).orElse(0);
        long offGpus = off * gpus / Math.max(1, nodes);
        double seconds = (toMs - fromMs) / 1000.0;
        double nodeOfGpu = power.nodeWatts() * nodes / Math.max(1, gpus);
        long busy = 0;
        double before = joules;
        for (JobRun job : running) {
            long held = job.heldGpus();
            busy += held;
            job.draw().add(nodeOfGpu * held * seconds);
            double drawn = job.draw().ran(fromMs, toMs);
            joules += drawn;
            queues.ifPresent(meter -> meter.drew(job, drawn));
        }
        queues.ifPresent(meter -> meter.pass(seconds));
        joules += seconds
                * ((nodes - downNodes - off) * power.nodeWatts()
                        + off * sleep.map(NodeSleep::offWatts).orElse(0.0)
                        + Math.max(0, gpus - downGpus - offGpus - busy) * power.idleGpuWatts());
        measure(fromMs, before, toMs);
        readings.add(new Reading(toMs, joules));
        if (toMs > fromMs) {
            series.add(toMs - fromMs, (joules - before) / seconds, limitWatts);
        }
    }

    /**
     * Over windows that end with the time that was just added, and over those that end in it and begin with a reading: a mean
     * over a window of one length is most where one of its ends is where draw changes.
     */
    private void measure(long fromMs, double before, long toMs) {
        while (readings.size() > 1 && second().ms() + WINDOW_MS <= toMs) {
            Reading begin = readings.removeFirst();
            if (begin.ms() + WINDOW_MS > fromMs) {
                double part = (double) (begin.ms() + WINDOW_MS - fromMs) / (toMs - fromMs);
                most(before + part * (joules - before) - begin.joules());
            }
        }
        Reading begin = readings.getFirst();
        if (begin.ms() + WINDOW_MS <= toMs) {
            long nextMs = readings.size() > 1 ? second().ms() : toMs;
            double nextJoules = readings.size() > 1 ? second().joules() : joules;
            double part = (double) (toMs - WINDOW_MS - begin.ms()) / Math.max(1, nextMs - begin.ms());
            most(joules - begin.joules() - part * (nextJoules - begin.joules()));
        }
    }

    private void most(double joulesOfWindow) {
        mostWatts = Math.max(mostWatts, joulesOfWindow * 1000 / WINDOW_MS);
    }

    private Reading second() {
        Iterator<Reading> all = readings.iterator();
        all.next();
        return all.next();
    }

    /** From now on no more is to be drawn, W. */
    void limitedTo(double watts) {
        limitWatts = watts;
    }

    double joules() {
        return joules;
    }

    /** The most that was drawn on average of a minute, or in all where that was less, W. */
    double mostWatts() {
        double seconds = series.spanSeconds();
        return seconds > 0 && seconds * 1000 < WINDOW_MS ? joules / seconds : mostWatts;
    }

    /** What the jobs of each queue drew; none where that is not followed. */
    List<Outcome.QueueDrawn> queues() {
        return queues.map(meter -> meter.drawn(series.spanSeconds())).orElse(List.of());
    }

    DrawSeries series() {
        return series;
    }
}
