// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.plan.TaskPlacement;
import java.util.List;
import java.util.Optional;

/**
 * What a job's GPUs draw, and have drawn. While it starts they idle; then they draw what its profile says, or where it has
 * none their limit.
 */
final class JobDraw {
    private final Optional<EnergyProfile> energy;
    private Optional<PowerView> power = Optional.empty();
    private long startsUntilMs;
    private double startingWatts;
    private double trainingWatts;
    private double joules;

    JobDraw(Optional<EnergyProfile> energy) {
        this.energy = energy;
    }

    void on(PowerView nodes) {
        power = Optional.of(nodes);
    }

    /** Speed on these GPUs under these caps, 1 on so many GPUs without a cap; 1 where no profile tells it. */
    double speedup(List<TaskPlacement> tasks, long gpus) {
        if (energy.isEmpty() || energy.get().sizeOf(gpus) < 0) {
            return 1;
        }
        EnergyProfile known = energy.get();
        int size = known.sizeOf(gpus(tasks));
        return size < 0
                ? 1
                : known.seconds(known.sizeOf(gpus), known.caps() - 1) / known.seconds(size, known.capOf(cap(tasks)));
    }

    private static long gpus(List<TaskPlacement> tasks) {
        return tasks.stream().mapToLong(task -> task.size().gpus()).sum();
    }

    /** Of each GPU, W; 0 for none. */
    private static double cap(List<TaskPlacement> tasks) {
        return (double) tasks.stream().mapToLong(task -> task.size().watts()).sum() / Math.max(1, gpus(tasks));
    }

    /** It has these GPUs and caps from now on. */
    void has(List<TaskPlacement> tasks) {
        long gpus = gpus(tasks);
        power.ifPresent(nodes -> {
            startingWatts = gpus * nodes.idleGpuWatts();
            int size = energy.map(known -> known.sizeOf(gpus)).orElse(-1);
            trainingWatts = size < 0
                    ? gpus * nodes.gpuWatts()
                    : energy.orElseThrow().watts(size, energy.orElseThrow().capOf(cap(tasks)));
        });
    }

    /** What its GPUs draw when it trains, W. */
    double trainingWatts() {
        return trainingWatts;
    }

    /** It does not train before then. */
    void startsUntil(long ms) {
        startsUntilMs = ms;
    }

    /** Until when its GPUs idle since it starts, ms. */
    long startsUntilMs() {
        return startsUntilMs;
    }

    /** Adds up what its GPUs draw; returns that, J. */
    double ran(long fromMs, long toMs) {
        long training = Math.max(0, toMs - Math.max(fromMs, startsUntilMs));
        double drawn = (trainingWatts * training + startingWatts * (toMs - fromMs - training)) / 1000;
        joules += drawn;
        return drawn;
    }

    /** Energy of its GPUs, and its part of what its nodes drew, so far, J. */
    double joules() {
        return joules;
    }

    /** @param nodeJoules its part of what its nodes drew beside their GPUs, J */
    void add(double nodeJoules) {
        joules += nodeJoules;
    }
}
