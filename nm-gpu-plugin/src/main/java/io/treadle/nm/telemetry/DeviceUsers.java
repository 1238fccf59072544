// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.isolation.ContainerProcesses;
import java.util.Map;

/**
 * Who shares the energy of one GPU, and how.
 *
 * @param memory memory of it, MiB, by the id of the container that holds it; what is drawn when it is idle is split by this,
 *     and everything where nobody has used it
 * @param use weights by container, and of {@link ContainerProcesses#NOBODY}; what is drawn above
 *     idle is split by this
 * @param idleWatts draw when it does nothing, W
 */
record DeviceUsers(Map<String, Long> memory, Map<String, Long> use, double idleWatts) {}
