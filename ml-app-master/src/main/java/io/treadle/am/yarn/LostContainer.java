// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

/**
 * A container that ended, whoever ended it.
 *
 * @param exitStatus as in YARN's {@code ContainerExitStatus}; {@link #UNKNOWN_STATUS} where YARN has not said
 * @param blameless whether the cluster took it (preemption, a lost or bad node), so that the job is not to blame
 */
public record LostContainer(String id, int exitStatus, boolean blameless, String diagnostics) {
    public static final int UNKNOWN_STATUS = -1000;

    /** A container whose runner did not start. */
    public static LostContainer notStarted(String id, boolean blameless, String cause) {
        return new LostContainer(id, UNKNOWN_STATUS, blameless, "its runner could not be started: " + cause);
    }

    public String describe() {
        String status = exitStatus == UNKNOWN_STATUS ? "" : " (exit status " + exitStatus + ")";
        return "container " + id + " was lost" + status + ": " + diagnostics;
    }
}
