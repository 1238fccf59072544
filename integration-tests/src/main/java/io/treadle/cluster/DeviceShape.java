// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

/**
 * Simulated GPUs of one node, all alike.
 *
 * @param count devices
 * @param model model name, as a driver would give it
 * @param memoryMiB memory of each device, MiB
 * @param watts power limit of each device, W
 */
public record DeviceShape(int count, String model, long memoryMiB, int watts) {
    public DeviceShape {
        if (count < 1 || memoryMiB < 1 || watts < 1 || model.isBlank()) {
            throw new IllegalArgumentException("device shape " + count + "x" + model + ":" + memoryMiB + ":" + watts
                    + " must have a model and amounts above 0");
        }
    }

    /** As the node plugin's setting {@code simulated-devices} reads: {@code 4xA100-SXM4-40GB:40960:400}. */
    String toSetting() {
        return count + "x" + model + ":" + memoryMiB + ":" + watts;
    }
}
