// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import io.treadle.nm.device.ProcessUse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which processes have used a board, by the driver's own samples of the last seconds. A driver that lacks the function, or
 * does not let this user ask, cannot tell; so does a board that is divided by MIG.
 */
final class NvmlProcesses {
    /** {@code nvmlProcessUtilizationSample_t}: pid, padding, time in µs, then percent of SM, memory, encoder, decoder. */
    private static final int SAMPLE_BYTES = 32;

    private static final int TIME_AT = 8;
    private static final int SM_AT = 16;
    /** Processes may come between the question how many there are and the one for them. */
    private static final int SPARE = 8;

    private static final int ATTEMPTS = 3;
    private static final int MOST_SAMPLES = 1 << 16;
    private static final long MOST_PERCENT = 100;
    private static final long MICROS_PER_MS = 1_000;

    private final NvmlLibrary nvml;
    private final Map<String, Long> lastSeenMicros = new HashMap<>();

    NvmlProcesses(NvmlLibrary nvml) {
        this.nvml = nvml;
    }

    /** @return what was sampled since the last call, nothing where nothing ran; empty where it cannot be told */
    Optional<List<ProcessUse>> since(String uuid, Pointer device) {
        long last = lastSeenMicros.getOrDefault(uuid, 0L);
        try {
            IntByReference count = new IntByReference();
            int status = nvml.nvmlDeviceGetProcessUtilization(device, null, count, last);
            for (int attempt = 0; attempt < ATTEMPTS && asksForRoom(status, count); attempt++) {
                byte[] samples = new byte[(Math.min(MOST_SAMPLES, count.getValue()) + SPARE) * SAMPLE_BYTES];
                count.setValue(samples.length / SAMPLE_BYTES);
                status = nvml.nvmlDeviceGetProcessUtilization(device, samples, count, last);
                if (status == NvmlStatus.SUCCESS) {
                    return Optional.of(parse(uuid, samples, count.getValue(), last));
                }
            }
            boolean none = status == NvmlStatus.NOT_FOUND || status == NvmlStatus.SUCCESS;
            return none ? Optional.of(List.of()) : Optional.empty();
        } catch (UnsatisfiedLinkError e) {
            return Optional.empty();
        }
    }

    private static boolean asksForRoom(int status, IntByReference count) {
        return (status == NvmlStatus.SUCCESS || status == NvmlStatus.INSUFFICIENT_SIZE) && count.getValue() > 0;
    }

    /** Drivers leave entries empty, and some have written figures that are no percents: those are passed over. */
    private List<ProcessUse> parse(String uuid, byte[] samples, int count, long last) {
        ByteBuffer buffer = ByteBuffer.wrap(samples).order(ByteOrder.nativeOrder());
        List<ProcessUse> uses = new ArrayList<>();
        long newest = last;
        for (int i = 0; i < Math.min(count, samples.length / SAMPLE_BYTES); i++) {
            long pid = Integer.toUnsignedLong(buffer.getInt(i * SAMPLE_BYTES));
            long micros = buffer.getLong(i * SAMPLE_BYTES + TIME_AT);
            long percent = Integer.toUnsignedLong(buffer.getInt(i * SAMPLE_BYTES + SM_AT));
            if (pid > 0 && micros > last && percent <= MOST_PERCENT) {
                newest = Math.max(newest, micros);
                if (percent > 0) {
                    uses.add(ProcessUse.ofProcess(pid, micros / MICROS_PER_MS, percent));
                }
            }
        }
        lastSeenMicros.put(uuid, newest);
        return uses;
    }
}
