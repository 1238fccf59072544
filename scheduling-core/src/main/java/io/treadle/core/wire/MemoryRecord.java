// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Memory of a job's containers, by container id. At {@code /treadle/jobs/<app>/memory-wanted} what the scheduler wants them
 * to make do with; at {@code …/memory-given} the ApplicationMaster's answer, what those whose caches keep to that version
 * can live with now (spec: {@code docs/spec/memory-record.md}).
 */
public record MemoryRecord(Map<String, MemoryLimit> containers) {
    private static final int SCHEMA = 1;

    public MemoryRecord {
        containers = Map.copyOf(containers);
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA);
        ArrayNode array = json.putArray("containers");
        containers.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(e -> array.addObject()
                .put("containerId", e.getKey())
                .put("version", e.getValue().version())
                .put("memoryMiB", e.getValue().memoryMiB()));
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static MemoryRecord fromJson(String what, String text) {
        Map<String, MemoryLimit> containers = new LinkedHashMap<>();
        Fields.parse(what, text)
                .checkSchema(SCHEMA)
                .objects("containers")
                .forEach(c -> containers.put(c.text("containerId"), MemoryLimit.from(c)));
        return new MemoryRecord(containers);
    }
}
