// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

/** NVML's return codes that mean something here, and what to do about each. */
final class NvmlStatus {
    static final int SUCCESS = 0;
    static final int UNINITIALIZED = 1;
    static final int INVALID_ARGUMENT = 2;
    static final int NOT_SUPPORTED = 3;
    static final int NO_PERMISSION = 4;
    static final int NOT_FOUND = 6;
    static final int INSUFFICIENT_SIZE = 7;
    static final int DRIVER_NOT_LOADED = 9;
    static final int FUNCTION_NOT_FOUND = 13;
    static final int GPU_IS_LOST = 15;
    static final int RESET_REQUIRED = 16;
    static final int LIBRARY_MISMATCH = 18;
    static final int UNKNOWN = 999;

    private NvmlStatus() {}

    /** Why NVML does not start, with advice on a line that begins with "Maybe". */
    static String whyNotStarted(int status, String saidByLibrary) {
        String said = "NVML does not start: " + status + " (" + saidByLibrary + ").\nMaybe ";
        return switch (status) {
            case NO_PERMISSION ->
                said + "the NodeManager's user may not open /dev/nvidiactl and /dev/nvidia*; it needs read and write";
            case DRIVER_NOT_LOADED ->
                said + "the kernel module is absent: 'modprobe nvidia', then restart the NodeManager";
            case GPU_IS_LOST, RESET_REQUIRED ->
                said + "a GPU has fallen off the bus: reset it (nvidia-smi --gpu-reset) or reboot the node";
            case LIBRARY_MISMATCH ->
                said + "the driver was updated under the running kernel module: reboot the node, or reload the module";
            case UNKNOWN -> said + "'dmesg | grep -i nvrm' tells more; a reboot often mends this";
            default -> said + "'nvidia-smi' by hand tells more";
        };
    }

    /** True if the device is gone until somebody resets it. */
    static boolean isGone(int status) {
        return status == GPU_IS_LOST || status == RESET_REQUIRED;
    }
}
