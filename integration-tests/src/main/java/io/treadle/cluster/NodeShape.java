// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.util.List;

/**
 * One NodeManager of an embedded cluster.
 *
 * @param name short name for people, such as {@code n1}
 * @param memoryMiB memory that it offers, MiB
 * @param vcores vcores that it offers
 * @param devices its simulated GPUs; empty for a CPU node
 */
public record NodeShape(String name, int memoryMiB, int vcores, List<DeviceShape> devices) {
    public NodeShape {
        devices = List.copyOf(devices);
        if (memoryMiB < 1 || vcores < 1) {
            throw new IllegalArgumentException(
                    "node '" + name + "' has " + memoryMiB + " MiB and " + vcores + " vcores, both must be above 0");
        }
    }

    /** Devices of all models. */
    public int gpus() {
        return devices.stream().mapToInt(DeviceShape::count).sum();
    }
}
