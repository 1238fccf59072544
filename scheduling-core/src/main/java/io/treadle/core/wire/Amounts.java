// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.resource.ResourceVector;

/** Amounts of every resource as fields of one object; one that is missing is 0. */
final class Amounts {
    private static final long MOST = 1L << 40;

    private Amounts() {}

    static void put(ObjectNode json, ResourceVector amounts) {
        json.put("gpus", amounts.gpus())
                .put("vcores", amounts.vcores())
                .put("memoryMiB", amounts.memoryMiB())
                .put("gpuMemoryMiB", amounts.gpuMemoryMiB())
                .put("storageMBps", amounts.storageMBps())
                .put("watts", amounts.watts());
    }

    static ResourceVector from(Fields json) {
        return new ResourceVector(
                json.integer("gpus", 0, 1_000_000, 0),
                json.integer("vcores", 0, 1_000_000, 0),
                json.integer("memoryMiB", 0, MOST, 0),
                json.integer("gpuMemoryMiB", 0, MOST, 0),
                json.integer("storageMBps", 0, MOST, 0),
                json.integer("watts", 0, MOST, 0));
    }
}
