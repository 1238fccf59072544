// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;

/**
 * What a worker says of the data that it reads: field {@code data} of a progress line (spec:
 * {@code docs/spec/worker-contract.md}). MB/s are 10⁶ bytes/s; 0 stands for unknown.
 *
 * @param bytes what this worker reads in an epoch
 * @param samples samples of that
 * @param cachedBytes of these bytes, in memory now
 * @param workingMemoryMiB what its container needs beside the cache
 * @param hitRate share of the samples read of late that were in memory; empty where none was read
 * @param readMBps what it read of late, from memory and storage
 * @param memoryMBps how fast its cache is
 * @param diskMBps how fast storage is, time spent waiting for the container's share of it left out
 * @param memoryVersion version of the {@link MemoryLimit} that its cache keeps to; 0 before the first
 */
public record DataReport(
        long bytes,
        long samples,
        long cachedBytes,
        long workingMemoryMiB,
        OptionalDouble hitRate,
        double readMBps,
        double memoryMBps,
        double diskMBps,
        long memoryVersion) {
    private static final long MOST = 1_000_000_000_000_000_000L;
    private static final double MOST_MBPS = 1e9;

    /** Of a worker that was never asked for memory. */
    public DataReport(
            long bytes,
            long samples,
            long cachedBytes,
            long workingMemoryMiB,
            OptionalDouble hitRate,
            double readMBps,
            double memoryMBps,
            double diskMBps) {
        this(bytes, samples, cachedBytes, workingMemoryMiB, hitRate, readMBps, memoryMBps, diskMBps, 0);
    }

    public ObjectNode toNode() {
        ObjectNode json = Fields.MAPPER
                .createObjectNode()
                .put("bytes", bytes)
                .put("samples", samples)
                .put("cachedBytes", cachedBytes)
                .put("workingMemoryMiB", workingMemoryMiB)
                .put("readMBps", readMBps)
                .put("memoryMBps", memoryMBps)
                .put("diskMBps", diskMBps)
                .put("memoryVersion", memoryVersion);
        hitRate.ifPresent(rate -> json.put("hitRate", rate));
        return json;
    }

    /** @throws WireFormatException if the text is no such report, or one of its values cannot be */
    public static DataReport fromJson(String text) {
        return from(Fields.parse("data report", text));
    }

    static DataReport from(Fields json) {
        long bytes = json.integer("bytes", 1, MOST);
        return new DataReport(
                bytes,
                json.integer("samples", 1, MOST),
                json.integer("cachedBytes", 0, bytes, 0),
                json.integer("workingMemoryMiB", 0, 1L << 40, 0),
                json.has("hitRate") ? OptionalDouble.of(json.number("hitRate", 0, 1)) : OptionalDouble.empty(),
                json.number("readMBps", 0, MOST_MBPS, 0),
                json.number("memoryMBps", 0, MOST_MBPS, 0),
                json.number("diskMBps", 0, MOST_MBPS, 0),
                json.integer("memoryVersion", 0, Long.MAX_VALUE, 0));
    }
}
