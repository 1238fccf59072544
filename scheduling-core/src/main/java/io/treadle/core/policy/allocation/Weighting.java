// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

/** What counts when sizes are chosen for all together. */
enum Weighting {
    /** Each job by its GPUs, and any size. */
    BY_GPUS(true) {
        @Override
        double of(long gpus) {
            return gpus;
        }
    },
    /** As Synergy's artifact has it: each job alike, and only the points of its profile. */
    BY_JOB(false) {
        @Override
        double of(long gpus) {
            return 1;
        }
    };

    private final boolean everyVcore;

    Weighting(boolean everyVcore) {
        this.everyVcore = everyVcore;
    }

    /** Whether sizes between the points of a profile may be chosen. */
    boolean everyVcore() {
        return everyVcore;
    }

    /** What it counts that a job of so many GPUs runs as fast as at its share. */
    abstract double of(long gpus);

    final double of(SpeedUp job) {
        return of(job.gpus());
    }
}
