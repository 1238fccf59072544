// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

/** How it is known on which GPU model a job runs. */
public enum JobStage {
    /** It waits, and can run on no other. */
    BOUND,
    /** Tasks of it have been started. */
    STARTS,
    /** It is seen to run, maybe without tasks that have ended. */
    RUNS
}
