// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * A task that holds resources.
 *
 * @param id container id in a live cluster
 * @param group its task group's name
 * @param nodeId where it runs
 * @param size what it holds
 * @param devices its GPUs; empty where only their number is known
 */
public record RunningTask(String id, String group, String nodeId, ResourceVector size, List<DeviceShare> devices) {
    public RunningTask {
        devices = List.copyOf(devices);
    }
}
