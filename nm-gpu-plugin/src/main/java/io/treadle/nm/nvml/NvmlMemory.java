// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Pointer;

/**
 * Memory of one board. The driver reserves some for itself (616 MiB of an H200's 143,771): only the newer of NVML's two
 * functions counts that apart from what processes use, as {@code nvidia-smi} does. Not safe for use by several threads.
 */
final class NvmlMemory {
    private static final int LONGS_OF_V2 = 5;
    /** NVML's way to name a structure: its size in bytes, and its version in the highest byte. */
    private static final long VERSION_2 = LONGS_OF_V2 * Long.BYTES | 2 << 24;

    private static final long BYTES_PER_MIB = 1L << 20;

    private final NvmlLibrary nvml;
    private boolean countsReserved = true;

    NvmlMemory(NvmlLibrary nvml) {
        this.nvml = nvml;
    }

    /**
     * What NVML answered.
     *
     * @param status NVML's return code; the sizes are 0 where it is not {@link NvmlStatus#SUCCESS}
     * @param totalMiB all memory of the board, the driver's part included
     * @param usedMiB what processes use, without the driver's part where NVML tells it apart
     */
    record Reading(int status, long totalMiB, long usedMiB) {}

    Reading read(Pointer device) {
        if (countsReserved) {
            long[] memory = new long[LONGS_OF_V2];
            memory[0] = VERSION_2;
            int status = readSecond(device, memory);
            if (status == NvmlStatus.SUCCESS || NvmlStatus.isGone(status)) {
                return new Reading(status, memory[1] / BYTES_PER_MIB, memory[4] / BYTES_PER_MIB);
            }
            countsReserved = status != NvmlStatus.FUNCTION_NOT_FOUND;
        }
        long[] memory = new long[3];
        int status = nvml.nvmlDeviceGetMemoryInfo(device, memory);
        return new Reading(status, memory[0] / BYTES_PER_MIB, memory[2] / BYTES_PER_MIB);
    }

    private int readSecond(Pointer device, long[] memory) {
        try {
            return nvml.nvmlDeviceGetMemoryInfo_v2(device, memory);
        } catch (UnsatisfiedLinkError e) {
            return NvmlStatus.FUNCTION_NOT_FOUND;
        }
    }
}
