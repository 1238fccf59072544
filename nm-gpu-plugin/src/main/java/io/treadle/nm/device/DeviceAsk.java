// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.wire.DeviceTag;
import java.util.List;

/**
 * What one container asks of the node's devices.
 *
 * @param gpus whole devices
 * @param sliceMiB memory on one device, MiB; 0 for none, and without meaning beside whole devices
 * @param chosen the scheduler's choice from the container's token; empty where it made none
 */
public record DeviceAsk(int gpus, long sliceMiB, List<DeviceTag> chosen) {
    public static final DeviceAsk NOTHING = new DeviceAsk(0, 0, List.of());

    public DeviceAsk {
        chosen = List.copyOf(chosen);
    }

    /** True if the grant is the slice that is asked for, in its full size. */
    public boolean isMetBy(Grant grant) {
        return !grant.whole() && grant.memoryMiB() == sliceMiB;
    }
}
