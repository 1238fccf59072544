// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimits;

/** A way to set the power limit of GPUs. Used by one thread; a call may take long. */
interface GpuPowerActuator extends AutoCloseable {
    /** Its name where people see it, as in the setting. */
    String name();

    /**
     * What the device can be set to, and what it is set to now.
     *
     * @throws PowerLimitException if that cannot be read
     */
    PowerLimits limits(GpuDevice device) throws PowerLimitException;

    /** @throws PowerLimitException if the limit is not taken */
    void set(GpuDevice device, long milliwatts) throws PowerLimitException;

    /**
     * Gives the device its own limit back.
     *
     * @throws PowerLimitException if it is not taken
     */
    default void restore(GpuDevice device, long milliwatts) throws PowerLimitException {
        set(device, milliwatts);
    }

    /**
     * Finds out whether limits may be set, by setting the one that is set already: nothing else tells for certain, and this
     * changes nothing.
     *
     * @throws PowerLimitException if not
     */
    default void probe(GpuDevice device) throws PowerLimitException {
        set(device, limits(device).setMilliwatts());
    }

    @Override
    default void close() {}
}
