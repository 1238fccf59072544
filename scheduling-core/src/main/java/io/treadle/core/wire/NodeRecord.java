// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a node's plugin says of its devices, at {@code /treadle/nodes/<host:port>} (ephemeral; spec:
 * {@code docs/spec/node-record.md}).
 *
 * @param node {@code host:port} of the NodeManager
 * @param updatedMs wall-clock time of the reading, ms since the epoch
 * @param devices every device that the node has had since its start, lost ones too
 * @param power the node's draw and who spent it; empty where the node does not say
 */
public record NodeRecord(String node, long updatedMs, List<Device> devices, Optional<NodePower> power) {
    private static final int SCHEMA = 1;

    /** Whether a device can be given to containers. */
    public enum Health {
        OK,
        LOST
    }

    /**
     * @param uuid the device's UUID
     * @param index its place on the node, from 0
     * @param model model name as the driver gives it
     * @param memoryMiB its memory, MiB
     * @param simulated true where no hardware stands behind it
     * @param watts draw, W; 0 where it cannot be read
     * @param capWatts limit in force, W; 0 where it cannot be read
     * @param utilizationPercent share of time in which kernels ran, 0 to 100
     * @param memoryUsedMiB memory in use, MiB
     * @param temperatureCelsius temperature, °C
     * @param energyMillijoules energy since the driver was loaded, mJ
     * @param containers ids of the containers that hold it
     * @param power clocks and caps; empty where the node does not say
     */
    public record Device(
            String uuid,
            int index,
            String model,
            long memoryMiB,
            boolean simulated,
            Health health,
            double watts,
            double capWatts,
            double utilizationPercent,
            long memoryUsedMiB,
            double temperatureCelsius,
            long energyMillijoules,
            List<String> containers,
            Optional<DevicePower> power) {
        public Device {
            containers = List.copyOf(containers);
        }

        /** A device that says nothing of clocks and caps. */
        public Device(
                String uuid,
                int index,
                String model,
                long memoryMiB,
                boolean simulated,
                Health health,
                double watts,
                double capWatts,
                double utilizationPercent,
                long memoryUsedMiB,
                double temperatureCelsius,
                long energyMillijoules,
                List<String> containers) {
            this(
                    uuid,
                    index,
                    model,
                    memoryMiB,
                    simulated,
                    health,
                    watts,
                    capWatts,
                    utilizationPercent,
                    memoryUsedMiB,
                    temperatureCelsius,
                    energyMillijoules,
                    containers,
                    Optional.empty());
        }
    }

    public NodeRecord {
        devices = List.copyOf(devices);
    }

    /** A node that says nothing of its draw. */
    public NodeRecord(String node, long updatedMs, List<Device> devices) {
        this(node, updatedMs, devices, Optional.empty());
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode();
        json.put("schema", SCHEMA).put("node", node).put("updatedMs", updatedMs);
        ArrayNode array = json.putArray("devices");
        for (Device device : devices) {
            ObjectNode item = array.addObject();
            item.put("uuid", device.uuid())
                    .put("index", device.index())
                    .put("model", device.model())
                    .put("memoryMiB", device.memoryMiB())
                    .put("simulated", device.simulated())
                    .put("health", device.health().name().toLowerCase(Locale.ROOT))
                    .put("watts", device.watts())
                    .put("capWatts", device.capWatts())
                    .put("utilizationPercent", device.utilizationPercent())
                    .put("memoryUsedMiB", device.memoryUsedMiB())
                    .put("temperatureCelsius", device.temperatureCelsius())
                    .put("energyMillijoules", device.energyMillijoules());
            ArrayNode containers = item.putArray("containers");
            device.containers().forEach(containers::add);
            device.power().ifPresent(p -> p.writeTo(item.putObject("power")));
        }
        power.ifPresent(p -> p.writeTo(json.putObject("power")));
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static NodeRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        return new NodeRecord(
                json.text("node"),
                json.integer("updatedMs", 0, Long.MAX_VALUE),
                json.objects("devices").stream().map(NodeRecord::device).toList(),
                json.has("power") ? Optional.of(NodePower.from(json.object("power"))) : Optional.empty());
    }

    private static Device device(Fields json) {
        return new Device(
                json.text("uuid"),
                (int) json.integer("index", 0, 1023),
                json.text("model"),
                json.integer("memoryMiB", 0, 1L << 40),
                json.flag("simulated", false),
                json.word("health", Health.class),
                json.number("watts", 0, 1e6, 0),
                json.number("capWatts", 0, 1e6, 0),
                json.number("utilizationPercent", 0, 100, 0),
                json.integer("memoryUsedMiB", 0, 1L << 40, 0),
                json.number("temperatureCelsius", -100, 1000, 0),
                json.integer("energyMillijoules", 0, Long.MAX_VALUE, 0),
                json.texts("containers"),
                json.has("power") ? Optional.of(DevicePower.from(json.object("power"))) : Optional.empty());
    }
}
