// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

/**
 * One GPU of a node.
 *
 * @param uuid the device's UUID
 * @param model model name, such as {@code A100-SXM4-40GB}
 * @param memoryMiB its memory, MiB
 * @param usedMiB what containers other than the snapshot's running tasks hold of it, MiB; all of it for a whole grant
 * @param usable whether it can be given to new tasks (not lost)
 * @param link the link, such as one of NVLink, over which it reaches the node's other devices that name the same; empty
 *     where nobody knows
 */
public record DeviceView(String uuid, String model, long memoryMiB, long usedMiB, boolean usable, String link) {
    /** One of whose links nothing is known. */
    public DeviceView(String uuid, String model, long memoryMiB, long usedMiB, boolean usable) {
        this(uuid, model, memoryMiB, usedMiB, usable, "");
    }
}
