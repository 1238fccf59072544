// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

/**
 * One GPU of the node, as it was found at start.
 *
 * @param uuid its UUID as the driver names it; stable over restarts
 * @param index its place on the node, from 0
 * @param model model name as the driver gives it
 * @param memoryMiB its memory, MiB
 * @param limitWatts its power limit, W; 0 where it cannot be read
 */
public record GpuDevice(String uuid, int index, String model, long memoryMiB, double limitWatts) {
    public GpuDevice {
        if (uuid.isEmpty() || memoryMiB <= 0) {
            throw new IllegalArgumentException(
                    "device " + index + " needs a UUID and memory above 0 MiB, not '" + uuid + "', " + memoryMiB);
        }
    }
}
