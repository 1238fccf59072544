// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * A task that is to start.
 *
 * @param group its task group's name
 * @param nodeId where
 * @param size what it gets
 * @param devices its GPUs; empty where only their number is known
 */
public record TaskPlacement(String group, String nodeId, ResourceVector size, List<DeviceShare> devices) {
    public TaskPlacement {
        devices = List.copyOf(devices);
    }
}
