// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.PowerView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

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
    /** What had been drawn at moments of the last minute, the oldest first. */
    private final Deque<Reading> readings = new ArrayDeque<>();

    private record Reading(long ms, double joules) {}

    /** @param sleep which nodes are off, where nodes are switched off; all of them have as many GPUs */
    PowerMeter(PowerView power, long nodes, long gpus, Optional<NodeSleep> sleep) {
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
        int off = sleep.map(nodesOff -> nodesOff.asleep().size()).orElse(0);
        long offGpus = off * gpus / Math.max(1, nodes);
        if (readings.isEmpty()) {
            readings.add(new Reading(fromMs, joules));
        }
        double seconds = (toMs - fromMs) / 1000.0;
        double nodeOfGpu = power.nodeWatts() * nodes / Math.max(1, gpus);
        long busy = 0;
        for (JobRun job : running) {
            long held = job.heldGpus();
            busy += held;
            joules += job.draws(fromMs, toMs, nodeOfGpu * held * seconds);
        }
        joules += seconds
                * ((nodes - downNodes - off) * power.nodeWatts()
                        + off * sleep.map(NodeSleep::offWatts).orElse(0.0)
                        + Math.max(0, gpus - downGpus - offGpus - busy) * power.idleGpuWatts());
        readings.add(new Reading(toMs, joules));
        measure(toMs);
    }

    private void measure(long nowMs) {
        Reading first = readings.getFirst();
        while (readings.size() > 2 && second().ms() <= nowMs - WINDOW_MS) {
            readings.removeFirst();
            first = readings.getFirst();
        }
        if (nowMs - first.ms() >= WINDOW_MS) {
            // The window begins between two readings, along which draw was the same but for starts.
            Reading next = second();
            double part = (double) (nowMs - WINDOW_MS - first.ms()) / Math.max(1, next.ms() - first.ms());
            double then = first.joules() + part * (next.joules() - first.joules());
            mostWatts = Math.max(mostWatts, (joules - then) * 1000 / WINDOW_MS);
        }
    }

    private Reading second() {
        java.util.Iterator<Reading> all = readings.iterator();
        all.next();
        return all.next();
    }

    double joules() {
        return joules;
    }

    /** The most that was drawn on average of a minute, W. */
    double mostWatts() {
        return mostWatts;
    }
}
