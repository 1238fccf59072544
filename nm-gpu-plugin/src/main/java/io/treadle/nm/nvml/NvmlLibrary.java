// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import org.jspecify.annotations.Nullable;

/** The functions of NVML that are used here, under their C names. Each returns an {@code nvmlReturn_t}. */
interface NvmlLibrary extends Library {
    int nvmlInit_v2();

    int nvmlShutdown();

    String nvmlErrorString(int result);

    int nvmlDeviceGetCount_v2(IntByReference count);

    int nvmlDeviceGetHandleByIndex_v2(int index, PointerByReference device);

    int nvmlDeviceGetUUID(Pointer device, byte[] uuid, int length);

    int nvmlDeviceGetName(Pointer device, byte[] name, int length);

    /** {@code nvmlMemory_t}: total, free, used; bytes. What the driver reserves for itself counts as used. */
    int nvmlDeviceGetMemoryInfo(Pointer device, long[] memory);

    /**
     * {@code nvmlMemory_v2_t}: version (which the caller sets), total, reserved, free, used; bytes. What the driver reserves
     * for itself counts apart. Drivers before 510 lack it.
     */
    int nvmlDeviceGetMemoryInfo_v2(Pointer device, long[] memory);

    /** Milliwatts. */
    int nvmlDeviceGetPowerUsage(Pointer device, IntByReference milliwatts);

    /** Milliwatts. */
    int nvmlDeviceGetPowerManagementLimit(Pointer device, IntByReference milliwatts);

    /** {@code nvmlUtilization_t}: gpu, memory; percent. */
    int nvmlDeviceGetUtilizationRates(Pointer device, int[] rates);

    /** Sensor 0 is the die; °C. */
    int nvmlDeviceGetTemperature(Pointer device, int sensor, IntByReference celsius);

    /** Millijoules since the driver was loaded. */
    int nvmlDeviceGetTotalEnergyConsumption(Pointer device, LongByReference millijoules);

    /** Milliwatts. */
    int nvmlDeviceGetPowerManagementLimitConstraints(Pointer device, IntByReference min, IntByReference max);

    /** Milliwatts. */
    int nvmlDeviceGetPowerManagementDefaultLimit(Pointer device, IntByReference milliwatts);

    /** Milliwatts; needs root. */
    int nvmlDeviceSetPowerManagementLimit(Pointer device, int milliwatts);

    /** Milliwatts. */
    int nvmlDeviceGetEnforcedPowerLimit(Pointer device, IntByReference milliwatts);

    /** Clock type 1 is that of the multiprocessors; MHz. */
    int nvmlDeviceGetClockInfo(Pointer device, int type, IntByReference megahertz);

    /**
     * {@code nvmlProcessUtilizationSample_t}, those after a time in µs; without samples only their number is told, by
     * NVML_ERROR_INSUFFICIENT_SIZE.
     */
    int nvmlDeviceGetProcessUtilization(
            Pointer device, byte @Nullable [] samples, IntByReference count, long lastSeenMicros);

    /** 1: the board is divided by MIG. {@code pending} holds after the next reset. */
    int nvmlDeviceGetMigMode(Pointer device, IntByReference current, IntByReference pending);

    /** Places for instances; some may be empty. */
    int nvmlDeviceGetMaxMigDeviceCount(Pointer device, IntByReference count);

    /** NVML_ERROR_NOT_FOUND for an empty place. */
    int nvmlDeviceGetMigDeviceHandleByIndex(Pointer device, int index, PointerByReference instance);

    /** Bits. */
    int nvmlDeviceGetCurrentClocksThrottleReasons(Pointer device, LongByReference reasons);
}
