// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

/** Chooses who is admitted, and with how many workers and servers; where they go is found later. */
interface Chooser {
    Admission choose(Pool pool);

    /** Whether what is left goes to jobs that are not admitted, and then to any that it makes end sooner. */
    default boolean fillsUp() {
        return false;
    }
}
