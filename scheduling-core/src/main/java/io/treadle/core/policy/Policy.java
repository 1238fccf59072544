// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.BrokenPlanException;
import io.treadle.core.plan.Plan;

/** Decides what happens with the jobs of one queue. A pure function: it keeps no state and reads no clock. */
public interface Policy {
    /** The name on the command line and in queue settings, such as {@code srtf+synergy-tune}. */
    String name();

    /** A decision for every job of the snapshot. */
    Plan plan(Snapshot snapshot);

    /** Whether it chooses how many GPUs jobs get that can do with other numbers than they ask for. */
    default boolean choosesGpus() {
        return false;
    }

    /** Whether it stops jobs, or lets them go on with other GPUs. */
    default boolean stopsJobs() {
        return false;
    }

    /** How long after a decision it wants to be asked again though nothing came or went, ms. */
    default long intervalMs() {
        return Session.NEVER;
    }

    /**
     * The policy at work on jobs that come and go.
     *
     * @param cluster the nodes and the queue, with no jobs
     * @return one whose {@code decide} throws {@link BrokenPlanException} where a plan breaks a rule
     */
    default Session open(Snapshot cluster) {
        return openShared(cluster);
    }

    /**
     * The policy at work on the jobs of one of several queues on the same nodes. What runs goes on: whoever shares the
     * nodes out says what makes way.
     *
     * @param cluster the nodes and the queue, with no jobs
     */
    default SharedSession openShared(Snapshot cluster) {
        return new SnapshotSession(cluster, SnapshotSession.checked(this), intervalMs());
    }
}
