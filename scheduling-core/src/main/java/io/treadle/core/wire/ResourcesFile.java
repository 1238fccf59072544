// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code resources.json}: the current sizes and devices of one container, in the directory that
 * {@code TREADLE_CONTROL_DIR} names (spec: {@code docs/spec/resources-json.md}).
 *
 * @param version the container token's version; only grows
 * @param vcores CPU cores
 * @param cpus ids of the CPUs that the container is pinned to; null where nothing is pinned
 * @param memoryMiB host memory, MiB
 * @param gpuMemoryMiB slice of GPU memory, MiB; 0 for whole GPUs
 * @param powerWatts power share, W; 0 where power is not scheduled
 * @param storageMBps storage bandwidth, MB/s; 0 where it is not scheduled
 * @param devices GPUs of the container
 */
public record ResourcesFile(
        int version,
        long vcores,
        @Nullable List<Integer> cpus,
        long memoryMiB,
        long gpuMemoryMiB,
        long powerWatts,
        long storageMBps,
        List<Device> devices) {
    public static final String NAME = "resources.json";

    private static final int SCHEMA = 1;

    /** State of a device that a container was given. */
    public enum DeviceState {
        READY,
        PENDING,
        LOST
    }

    /**
     * @param uuid the device
     * @param memoryMiB the memory that the container may use of it, MiB
     */
    public record Device(String uuid, long memoryMiB, DeviceState state) {}

    public ResourcesFile {
        cpus = cpus == null ? null : List.copyOf(cpus);
        devices = List.copyOf(devices);
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode();
        json.put("schema", SCHEMA).put("version", version).put("vcores", vcores);
        if (cpus == null) {
            json.putNull("cpus");
        } else {
            ArrayNode ids = json.putArray("cpus");
            cpus.forEach(ids::add);
        }
        json.put("memoryMiB", memoryMiB)
                .put("gpuMemoryMiB", gpuMemoryMiB)
                .put("powerWatts", powerWatts)
                .put("storageMBps", storageMBps);
        ArrayNode array = json.putArray("devices");
        for (Device device : devices) {
            array.addObject()
                    .put("uuid", device.uuid())
                    .put("memoryMiB", device.memoryMiB())
                    .put("state", device.state().name().toLowerCase(Locale.ROOT));
        }
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static ResourcesFile fromJson(String text) {
        Fields json = Fields.parse(NAME, text).checkSchema(SCHEMA);
        return new ResourcesFile(
                (int) json.integer("version", 0, Integer.MAX_VALUE),
                json.integer("vcores", 0, Integer.MAX_VALUE),
                json.has("cpus") ? json.integers("cpus") : null,
                json.integer("memoryMiB", 0, Long.MAX_VALUE),
                json.integer("gpuMemoryMiB", 0, Long.MAX_VALUE, 0),
                json.integer("powerWatts", 0, Long.MAX_VALUE, 0),
                json.integer("storageMBps", 0, Long.MAX_VALUE, 0),
                json.objects("devices").stream()
                        .map(d -> new Device(
                                d.text("uuid"),
                                d.integer("memoryMiB", 0, Long.MAX_VALUE),
                                d.word("state", DeviceState.class)))
                        .toList());
    }
}
