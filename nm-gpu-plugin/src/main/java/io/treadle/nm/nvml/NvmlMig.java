// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Finds the MIG instances into which a board is divided. They are devices of their own, and the board is none any more.
 * Boards and drivers that know no MIG are not divided.
 */
final class NvmlMig {
    private static final int ENABLED = 1;

    private final NvmlLibrary nvml;

    NvmlMig(NvmlLibrary nvml) {
        this.nvml = nvml;
    }

    boolean isEnabled(Pointer board) {
        IntByReference current = new IntByReference();
        int status = status(() -> nvml.nvmlDeviceGetMigMode(board, current, new IntByReference()));
        return status == NvmlStatus.SUCCESS && current.getValue() == ENABLED;
    }

    /** Handles of the board's instances, in the driver's order; its places may be empty. */
    List<Pointer> instances(Pointer board) {
        IntByReference places = new IntByReference();
        List<Pointer> found = new ArrayList<>();
        if (status(() -> nvml.nvmlDeviceGetMaxMigDeviceCount(board, places)) != NvmlStatus.SUCCESS) {
            return found;
        }
        for (int place = 0; place < places.getValue(); place++) {
            PointerByReference handle = new PointerByReference();
            int index = place;
            if (status(() -> nvml.nvmlDeviceGetMigDeviceHandleByIndex(board, index, handle)) == NvmlStatus.SUCCESS) {
                found.add(handle.getValue());
            }
        }
        return found;
    }

    private static int status(IntSupplier call) {
        try {
            return call.getAsInt();
        } catch (UnsatisfiedLinkError e) {
            return NvmlStatus.FUNCTION_NOT_FOUND;
        }
    }
}
