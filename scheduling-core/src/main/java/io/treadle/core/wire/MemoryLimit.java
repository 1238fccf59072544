// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/**
 * The memory that a container's caches are to keep to before the container itself shrinks to it: the file that
 * {@code TREADLE_MEMORY_FILE} names (spec: {@code docs/spec/worker-contract.md}).
 *
 * @param version only grows; the worker says which one its cache keeps to
 * @param memoryMiB of the container, MiB; 0 for no limit but that of {@link ResourcesFile}
 */
public record MemoryLimit(long version, long memoryMiB) {
    /** Before anything was asked. */
    public static final MemoryLimit NONE = new MemoryLimit(0, 0);

    private static final long MOST_MIB = 1L << 40;

    public String toJson() {
        return Fields.MAPPER
                .createObjectNode()
                .put("version", version)
                .put("memoryMiB", memoryMiB)
                .toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static MemoryLimit fromJson(String text) {
        return from(Fields.parse("memory limit", text));
    }

    static MemoryLimit from(Fields json) {
        return new MemoryLimit(json.integer("version", 0, Long.MAX_VALUE), json.integer("memoryMiB", 0, MOST_MIB));
    }
}
