// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.core.wire.DeviceVendor;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.WorkerEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPU that a worker's models run on: the container's first.
 *
 * @param env of the worker
 */
record WorkerGpu(Map<String, String> env) {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerGpu.class);

    WorkerGpu {
        env = Map.copyOf(env);
    }

    boolean isThere() {
        // Its models run by CUDA, which sees no devices of other vendors.
        return DeviceVendor.NVIDIA.variables().stream()
                .anyMatch(name -> !env.getOrDefault(name, "").isEmpty());
    }

    /** What its models may take together, as far as that is less than all of it. */
    OptionalLong limitMiB() {
        String limit = env.getOrDefault(ServiceProtocol.ENV_MODEL_MEMORY_MIB, "");
        return limit.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(limit));
    }

    /** Its memory where the worker has all of it, as its node says; 0 where it has a part, or the node says nothing. */
    long wholeMiB() {
        String directory = env.getOrDefault(WorkerEnvironment.CONTROL_DIR, "");
        if (directory.isEmpty()) {
            return 0;
        }
        Path file = Path.of(directory, ResourcesFile.NAME);
        try {
            ResourcesFile sizes = ResourcesFile.fromJson(Files.readString(file));
            return sizes.gpuMemoryMiB() > 0 || sizes.devices().isEmpty()
                    ? 0
                    : sizes.devices().get(0).memoryMiB();
        } catch (IOException | WireFormatException e) {
            LOG.warn("the memory of this worker's GPU is not known: {} cannot be read: {}", file, e.getMessage());
            return 0;
        }
    }
}
