// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.wire.DeviceVendor;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A source of devices and of readings of them. Called by one thread at a time; a call may take long. */
public interface DeviceProvider extends AutoCloseable {
    /** Its name where people see it: {@code nvml}, {@code nvidia-smi}, {@code rocm-smi}, {@code simulated} or {@code file}. */
    String name();

    /** The devices found when the provider was opened, in the order of their indices. */
    List<GpuDevice> devices();

    /** Whose devices they are, which says how processes are told of them. */
    default DeviceVendor vendor() {
        return DeviceVendor.NVIDIA;
    }

    /** Device files that a container started from an image needs for the device; empty where they are not known. */
    default List<String> deviceFiles(String uuid) {
        return List.of();
    }

    /** What was there and could not be used when the provider was opened, one text each; for people. */
    default List<String> leftOut() {
        return List.of();
    }

    /**
     * Reads every device. One that has gone is {@link DeviceReading#LOST}; others are not touched by that.
     *
     * @param held UUIDs of the devices that containers hold; only the simulation asks
     * @throws DeviceProviderException if nothing can be read at all
     */
    Map<String, DeviceReading> read(Set<String> held);

    /**
     * Which processes have used devices since this was asked last; those that have used nothing may be left out.
     *
     * @param holders ids of the containers that hold each device which is asked for, by its UUID; only the simulation
     *     looks at the containers
     * @return by UUID; a device whose processes nobody can tell is left out
     * @throws DeviceProviderException if nothing can be read at all
     */
    default Map<String, List<ProcessUse>> processes(Map<String, List<String>> holders) {
        return Map.of();
    }

    /** True where no hardware stands behind the devices. */
    default boolean simulated() {
        return false;
    }

    /**
     * The device's power limits as they are now.
     *
     * @throws PowerLimitException if they cannot be read
     */
    default PowerLimits limits(String uuid) throws PowerLimitException {
        throw new PowerLimitException(PowerLimitException.Reason.NOT_SUPPORTED, name() + " knows no power limits");
    }

    /**
     * Sets the device's power limit, by the driver itself.
     *
     * @throws PowerLimitException if that is refused
     */
    default void setLimit(String uuid, long milliwatts) throws PowerLimitException {
        throw new PowerLimitException(
                PowerLimitException.Reason.NOT_SUPPORTED, name() + " cannot set power limits by itself");
    }

    @Override
    default void close() {}
}
