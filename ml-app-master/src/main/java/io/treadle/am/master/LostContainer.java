// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/**
 * A container that ended, whoever ended it.
 *
 * @param exitStatus as in YARN's {@code ContainerExitStatus}
 * @param blameless whether the cluster took it (preemption, a lost or bad node), so that the job is not to blame
 */
public record LostContainer(String id, int exitStatus, boolean blameless, String diagnostics) {
    String describe() {
        return "container " + id + " was lost (exit status " + exitStatus + "): " + diagnostics;
    }
}
