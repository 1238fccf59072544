// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.wire.DeviceTag;

/**
 * One device, or a slice of it, that a container was given.
 *
 * @param memoryMiB memory that the container may use of it, MiB
 * @param whole true for the whole device
 */
public record Grant(String uuid, long memoryMiB, boolean whole, State state) {
    /** Whether the container may use it now. */
    public enum State {
        READY,
        /** Another container, which is about to end, still holds it. */
        PENDING,
        /** The device does not answer any more. */
        LOST
    }

    /** The grant in the form in which the NodeManager's state store keeps it. */
    public DeviceTag tag() {
        return whole ? DeviceTag.whole(uuid) : DeviceTag.slice(uuid, memoryMiB);
    }
}
