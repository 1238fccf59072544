// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

/**
 * How busy one process has kept the multiprocessors of a device.
 *
 * @param pid the process, by its id on the host; 0 where the container is named
 * @param sampledMs when the driver saw it, ms since the epoch; {@link #JUST_NOW} where it does not say
 * @param percent share of the multiprocessors' time, above 0 to 100
 * @param container id of the container that it belongs to; empty where only the process is known, which is so but for
 *     simulated devices
 */
public record ProcessUse(long pid, long sampledMs, double percent, String container) {
    public static final long JUST_NOW = Long.MAX_VALUE;

    /** Of a process that the driver has named. */
    public static ProcessUse ofProcess(long pid, long sampledMs, double percent) {
        return new ProcessUse(pid, sampledMs, percent, "");
    }
}
