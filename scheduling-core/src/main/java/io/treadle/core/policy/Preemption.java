// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

/** Whether and how jobs that run make way for others. */
public enum Preemption {
    /** What runs goes on to its end. */
    OFF,
    /**
     * The first jobs in order whose GPUs the nodes have together are chosen, wherever they fit; those that run and are
     * not chosen stop, then those that wait and are chosen start where there is room (Helios' artifact). What a stop costs
     * counts for those that run.
     */
    BY_GPUS,
    /**
     * A job runs for a turn, as long as its order says, then makes way and comes back to the queue (2D-LAS of AnalySIM's
     * predecessor).
     */
    TURNS,
    /** In every round all jobs are placed anew, as if none ran (Synergy's artifact, with leases of one round). */
    ANEW,
    /** As {@link #ANEW}, of the first jobs in order whose GPUs the nodes have together (the same under LAS). */
    ANEW_BY_GPUS,
    /** As {@link #ANEW_BY_GPUS}, those with most GPUs served first (the same under LAS with TUNE). */
    ANEW_WIDEST_FIRST;

    /** Whether all jobs are placed anew in every round. */
    public boolean isAnew() {
        return this == ANEW || this == ANEW_BY_GPUS || this == ANEW_WIDEST_FIRST;
    }

    /** Whether who may run is chosen by GPUs alone, wherever they are: some of those may then find no room. */
    public boolean choosesByGpus() {
        return this == BY_GPUS || this == ANEW_BY_GPUS || this == ANEW_WIDEST_FIRST;
    }
}
