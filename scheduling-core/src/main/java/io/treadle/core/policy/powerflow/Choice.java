// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

/**
 * What a job is to have.
 *
 * @param size its number of GPUs, as a size of its profile
 * @param cap the power cap of each, counted from 0 in its profile
 */
record Choice(Candidate job, int size, int cap) {
    /** At its highest cap, by rules that know nothing of power. */
    static Choice uncapped(Candidate job, int size) {
        return new Choice(job, size, job.energy().caps() - 1);
    }

    long gpus() {
        return job.gpus(size);
    }

    double watts() {
        return gpus() == 0 ? 0 : job.energy().watts(size, cap);
    }
}
