// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The provider of a CPU node. */
public final class NoDevices implements DeviceProvider {
    @Override
    public String name() {
        return "none";
    }

    @Override
    public List<GpuDevice> devices() {
        return List.of();
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        return Map.of();
    }
}
