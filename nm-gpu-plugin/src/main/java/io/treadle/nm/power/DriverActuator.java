// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimits;

/**
 * Limits by whatever reads the devices too, in this process: NVML, or the simulation. It shares the provider's connection
 * to the driver, because NVML starts anew after a reset only when nobody else has it open.
 */
final class DriverActuator implements GpuPowerActuator {
    private final String name;
    private final DeviceProvider provider;

    /** @param name of the provider that it wants; another one is refused */
    DriverActuator(String name, DeviceProvider provider) {
        this.name = name;
        this.provider = provider;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PowerLimits limits(GpuDevice device) throws PowerLimitException {
        return provider.limits(device.uuid());
    }

    @Override
    public void set(GpuDevice device, long milliwatts) throws PowerLimitException {
        if (!provider.name().equals(name)) {
            throw new PowerLimitException(
                    PowerLimitException.Reason.NOT_SUPPORTED, "the devices come from " + provider.name());
        }
        provider.setLimit(device.uuid(), milliwatts);
    }
}
