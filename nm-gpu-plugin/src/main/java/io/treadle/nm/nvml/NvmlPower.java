// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntSupplier;

/** Power limits and clocks of one board. An old driver that lacks a function is taken for one that refuses it. */
final class NvmlPower {
    private static final int SM_CLOCK = 1;
    private static final List<String> THROTTLE = List.of(
            "idle",
            "application-clocks",
            "power-cap",
            "hardware-slowdown",
            "sync-boost",
            "software-thermal",
            "hardware-thermal",
            "power-brake",
            "display-clocks");

    private final NvmlLibrary nvml;

    NvmlPower(NvmlLibrary nvml) {
        this.nvml = nvml;
    }

    /** @throws PowerLimitException if one of the limits cannot be read */
    PowerLimits limits(Pointer device) throws PowerLimitException {
        IntByReference min = new IntByReference();
        IntByReference max = new IntByReference();
        check("limit constraints", () -> nvml.nvmlDeviceGetPowerManagementLimitConstraints(device, min, max));
        IntByReference initial = new IntByReference();
        check("default limit", () -> nvml.nvmlDeviceGetPowerManagementDefaultLimit(device, initial));
        IntByReference set = new IntByReference();
        check("limit", () -> nvml.nvmlDeviceGetPowerManagementLimit(device, set));
        return new PowerLimits(
                unsigned(min),
                unsigned(max),
                unsigned(initial),
                unsigned(set),
                enforced(device).orElse(unsigned(set)));
    }

    /** @throws PowerLimitException if the driver refuses */
    void setLimit(Pointer device, long milliwatts) throws PowerLimitException {
        check("setting the limit", () -> nvml.nvmlDeviceSetPowerManagementLimit(device, (int) milliwatts));
    }

    /** The limit that is enforced, mW; empty where it cannot be read. */
    OptionalLong enforced(Pointer device) {
        IntByReference enforced = new IntByReference();
        return status(() -> nvml.nvmlDeviceGetEnforcedPowerLimit(device, enforced)) == NvmlStatus.SUCCESS
                ? OptionalLong.of(unsigned(enforced))
                : OptionalLong.empty();
    }

    /** MHz; 0 where it cannot be read. */
    int smMegahertz(Pointer device) {
        IntByReference megahertz = new IntByReference();
        return status(() -> nvml.nvmlDeviceGetClockInfo(device, SM_CLOCK, megahertz)) == NvmlStatus.SUCCESS
                ? megahertz.getValue()
                : 0;
    }

    /** What holds the clocks down, by the function's name of before driver 13, which later ones have too. */
    List<String> throttle(Pointer device) {
        LongByReference bits = new LongByReference();
        if (status(() -> nvml.nvmlDeviceGetCurrentClocksThrottleReasons(device, bits)) != NvmlStatus.SUCCESS) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if ((bits.getValue() & 1L << bit) != 0) {
                words.add(bit < THROTTLE.size() ? THROTTLE.get(bit) : "bit-" + bit);
            }
        }
        return words;
    }

    private void check(String what, IntSupplier call) throws PowerLimitException {
        int status = status(call);
        if (status == NvmlStatus.SUCCESS) {
            return;
        }
        String said = status == NvmlStatus.FUNCTION_NOT_FOUND ? "Function Not Found" : nvml.nvmlErrorString(status);
        throw new PowerLimitException(reason(status), what + ": NVML " + status + " (" + said + ")");
    }

    private static Reason reason(int status) {
        return switch (status) {
            case NvmlStatus.NO_PERMISSION -> Reason.NO_PERMISSION;
            case NvmlStatus.NOT_SUPPORTED, NvmlStatus.FUNCTION_NOT_FOUND -> Reason.NOT_SUPPORTED;
            case NvmlStatus.INVALID_ARGUMENT -> Reason.OUT_OF_RANGE;
            case NvmlStatus.GPU_IS_LOST, NvmlStatus.RESET_REQUIRED -> Reason.LOST;
            default -> Reason.FAILED;
        };
    }

    private static int status(IntSupplier call) {
        try {
            return call.getAsInt();
        } catch (UnsatisfiedLinkError e) {
            return NvmlStatus.FUNCTION_NOT_FOUND;
        }
    }

    private static long unsigned(IntByReference value) {
        return Integer.toUnsignedLong(value.getValue());
    }
}
