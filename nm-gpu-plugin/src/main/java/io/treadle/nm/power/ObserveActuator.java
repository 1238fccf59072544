// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimits;

/** Never sets a limit, and says so. */
final class ObserveActuator implements GpuPowerActuator {
    static final String NAME = "observe";

    private final DeviceProvider provider;

    ObserveActuator(DeviceProvider provider) {
        this.provider = provider;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PowerLimits limits(GpuDevice device) throws PowerLimitException {
        return provider.limits(device.uuid());
    }

    @Override
    public void set(GpuDevice device, long milliwatts) throws PowerLimitException {
        throw new PowerLimitException(
                PowerLimitException.Reason.FAILED, "this node observes only: nothing here may set power limits");
    }

    /** Observing works always. */
    @Override
    public void probe(GpuDevice device) {}
}
