// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a job reads and how fast it could be read where the job ran: from this follows what memory and storage do for its
 * speed (MinIO's cache model). MB/s are 10⁶ bytes/s; 0 stands for unknown.
 *
 * @param bytes of the whole dataset
 * @param samples of the whole dataset; 0 where unknown
 * @param memoryMBps a worker's reads from memory
 * @param diskMBps a worker's reads from storage
 * @param workingMemoryMiB what a worker needs beside its cache
 * @param nodeMBps storage bandwidth of the node where it was measured, of several the least, as the node advertises it
 */
public record ProfileDataset(
        long bytes, long samples, double memoryMBps, double diskMBps, long workingMemoryMiB, long nodeMBps) {
    private static final double ALIKE = 0.1;
    private static final long MOST = 1L << 60;
    private static final double MOST_MBPS = 1e9;

    /** One of which nobody has said yet on what node it was measured: an ApplicationMaster does not know. */
    public ProfileDataset(long bytes, long samples, double memoryMBps, double diskMBps, long workingMemoryMiB) {
        this(bytes, samples, memoryMBps, diskMBps, workingMemoryMiB, 0);
    }

    /** The same, measured on nodes of so many MB/s, where nobody has said that yet. */
    public ProfileDataset measuredOn(long newNodeMBps) {
        return nodeMBps > 0
                ? this
                : new ProfileDataset(bytes, samples, memoryMBps, diskMBps, workingMemoryMiB, newNodeMBps);
    }

    /** Whether as much is read, but for a tenth: then what was measured with the other says as much of this one. */
    public boolean isAsLargeAs(ProfileDataset other) {
        return Math.abs((double) bytes - other.bytes) <= ALIKE * Math.max(bytes, other.bytes);
    }

    void putInto(ObjectNode json) {
        json.put("bytes", bytes)
                .put("samples", samples)
                .put("memoryMBps", memoryMBps)
                .put("diskMBps", diskMBps)
                .put("workingMemoryMiB", workingMemoryMiB);
        if (nodeMBps > 0) {
            json.put("nodeMBps", nodeMBps);
        }
    }

    static ProfileDataset from(Fields json) {
        return new ProfileDataset(
                json.integer("bytes", 1, MOST),
                json.integer("samples", 0, MOST, 0),
                json.number("memoryMBps", 0, MOST_MBPS, 0),
                json.number("diskMBps", 0, MOST_MBPS, 0),
                json.integer("workingMemoryMiB", 0, 1L << 40, 0),
                json.integer("nodeMBps", 0, (long) MOST_MBPS, 0));
    }
}
