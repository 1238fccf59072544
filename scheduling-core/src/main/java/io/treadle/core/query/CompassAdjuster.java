// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/** Looks again at where a planned task goes, when its only predecessor has ended. */
final class CompassAdjuster {
    private final Adjustment adjustment;
    private final Nearest nearest;

    CompassAdjuster(Costs costs, Adjustment adjustment) {
        this.adjustment = adjustment;
        this.nearest = new Nearest(costs);
    }

    /**
     * @param planned where it was to run
     * @param here where its predecessor ran
     * @return where it runs: a task that waits for several stays, since the others' outputs may be on their way
     */
    int adjust(QueryTask task, int planned, int here, ClusterView seen) {
        if (task.isJoint()) {
            return planned;
        }
        double threshold = adjustment.threshold() * task.runMs();
        return switch (adjustment.rule()) {
            case NONE -> planned;
            case LOAD -> seen.at(planned).waitMs() <= threshold ? planned : nearest.of(task, here, seen);
            case GAIN -> {
                int best = nearest.of(task, here, seen);
                double gain = nearest.costMs(task, here, planned, seen.at(planned))
                        - nearest.costMs(task, here, best, seen.at(best));
                yield gain > threshold ? best : planned;
            }
        };
    }
}
