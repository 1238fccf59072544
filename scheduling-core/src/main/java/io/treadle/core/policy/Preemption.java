// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

/** Whether and how jobs that run make way for others. */
public enum Preemption {
    /** What runs goes on to its end. */
    OFF,
    /**
     * The first jobs in order whose GPUs the nodes have together are chosen, wherever they fit; those that run and are
     * not chosen stop, then those that wait and are chosen start where there is room (Helios' artifact).
     */
    BY_GPUS,
    /**
     * A job runs for a turn, as long as its order says, then makes way and comes back to the queue (2D-LAS of AnalySIM's
     * predecessor).
     */
    TURNS,
    /** In every round all jobs are placed anew, as if none ran (Synergy's artifact, with leases of one round). */
    ANEW
}
