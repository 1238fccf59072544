// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.Fields;
import java.util.List;

/** Amounts and devices in {@link SnapshotRecord}; an amount of 0 is left out. */
final class ResourceJson {
    private ResourceJson() {}

    static void put(ObjectNode json, String name, ResourceVector amounts) {
        ObjectNode node = json.putObject(name);
        putAmount(node, "gpus", amounts.gpus());
        putAmount(node, "vcores", amounts.vcores());
        putAmount(node, "memoryMiB", amounts.memoryMiB());
        putAmount(node, "gpuMemoryMiB", amounts.gpuMemoryMiB());
        putAmount(node, "storageMBps", amounts.storageMBps());
        putAmount(node, "watts", amounts.watts());
    }

    private static void putAmount(ObjectNode node, String name, long amount) {
        if (amount != 0) {
            node.put(name, amount);
        }
    }

    static ResourceVector read(Fields json, String name) {
        Fields node = json.object(name);
        return new ResourceVector(
                amount(node, "gpus"),
                amount(node, "vcores"),
                amount(node, "memoryMiB"),
                amount(node, "gpuMemoryMiB"),
                amount(node, "storageMBps"),
                amount(node, "watts"));
    }

    private static long amount(Fields node, String name) {
        return node.integer(name, Long.MIN_VALUE, Long.MAX_VALUE, 0);
    }

    static void put(ObjectNode json, List<DeviceShare> devices) {
        ArrayNode array = json.putArray("devices");
        for (DeviceShare device : devices) {
            array.addObject()
                    .put("uuid", device.uuid())
                    .put("memoryMiB", device.memoryMiB())
                    .put("whole", device.whole());
        }
    }

    static List<DeviceShare> devices(Fields json) {
        return json.objects("devices").stream()
                .map(d -> new DeviceShare(
                        d.text("uuid"), d.integer("memoryMiB", 0, Long.MAX_VALUE), d.flag("whole", false)))
                .toList();
    }
}
