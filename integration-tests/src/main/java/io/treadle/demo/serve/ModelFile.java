// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.nio.file.Path;

/**
 * A model as the service is given it.
 *
 * @param bytes of the file, nearly all of them weights
 */
public record ModelFile(String name, Path file, long bytes) {
    private static final long MIB = 1 << 20;

    /** What it takes of a worker's memory, MiB: its weights, and something for the graph. */
    long memoryMiB() {
        return bytes / MIB + 1;
    }
}
