// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.nm.device.PowerLimitException.Reason;

/** What {@code nvidia-smi} means by its exit status, which is NVML's return code. */
public final class NvidiaSmiRefusal {
    private static final int MOST_TEXT = 200;

    private NvidiaSmiRefusal() {}

    /** @param command what was run, for people */
    public static PowerLimitException of(String command, CommandRunner.Result result) {
        String said = result.output().strip().replaceAll("\\s+", " ");
        return new PowerLimitException(
                reason(result.exitStatus(), said),
                command + " exited with " + result.exitStatus() + ": "
                        + (said.length() > MOST_TEXT ? said.substring(0, MOST_TEXT) + "…" : said));
    }

    /** A wrapper such as sudo has a status of its own: then its words tell. */
    private static Reason reason(int status, String said) {
        if (status == 4 || said.contains("Insufficient Permissions") || said.startsWith("sudo:")) {
            return Reason.NO_PERMISSION;
        }
        if (status == 15 || said.contains("GPU is lost")) {
            return Reason.LOST;
        }
        if (said.contains("not a valid power limit")) {
            return Reason.OUT_OF_RANGE;
        }
        if (status == 3 || status == 13 || said.contains("not supported")) {
            return Reason.NOT_SUPPORTED;
        }
        return Reason.FAILED;
    }
}
