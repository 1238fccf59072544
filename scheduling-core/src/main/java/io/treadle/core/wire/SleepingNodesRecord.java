// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Hosts that are switched off, at {@code /treadle/sleeping-nodes}, for the ResourceManager that comes next (spec: {@code
 * docs/spec/sleeping-nodes.md}).
 *
 * @param hosts by name
 */
public record SleepingNodesRecord(Map<String, Host> hosts) {
    /** All are on. */
    public static final SleepingNodesRecord EMPTY = new SleepingNodesRecord(Map.of());

    private static final int SCHEMA = 1;
    private static final long MOST = 1_000_000_000_000L;

    public SleepingNodesRecord {
        hosts = Map.copyOf(hosts);
    }

    public static final String RIGHT_NAME =
            "names of letters, digits, '.', '-', '_' and ':' that begin with a letter or a digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,252}");

    /** How far a host is. */
    public enum Stage {
        /** Its NodeManagers are told to stop: it may still be on. */
        DRAINING,
        OFF,
        /** It was switched on. */
        WAKING
    }

    /**
     * One that is not on.
     *
     * @param peakWatts what it draws at most when it is on, W; 0 where that is not known
     * @param nodeManagers those that it has when it is on
     */
    public record Host(Stage stage, double peakWatts, List<Node> nodeManagers) {
        public Host {
            nodeManagers = List.copyOf(nodeManagers);
        }
    }

    /**
     * What a NodeManager offers when it is there.
     *
     * @param partition its label; empty for none
     */
    public record Node(String partition, ResourceVector capacity) {}

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA);
        ObjectNode byName = json.putObject("hosts");
        new TreeMap<>(hosts).forEach((name, host) -> {
            ArrayNode managers = byName.putObject(name)
                    .put("stage", host.stage().name().toLowerCase(Locale.ROOT))
                    .put("peakWatts", host.peakWatts())
                    .putArray("nodeManagers");
            host.nodeManagers().forEach(node -> managers.addObject()
                    .put("partition", node.partition())
                    .put("gpus", node.capacity().gpus())
                    .put("vcores", node.capacity().vcores())
                    .put("memoryMiB", node.capacity().memoryMiB())
                    .put("gpuMemoryMiB", node.capacity().gpuMemoryMiB())
                    .put("storageMBps", node.capacity().storageMBps())
                    .put("watts", node.capacity().watts()));
        });
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static SleepingNodesRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        Map<String, Host> hosts = new TreeMap<>();
        if (json.has("hosts")) {
            Fields byName = json.object("hosts");
            byName.names().forEach(name -> hosts.put(checked(what, name), host(byName.object(name))));
        }
        return new SleepingNodesRecord(hosts);
    }

    /** The name is given to the command that switches hosts, and from there to others that take what begins with '-' for options. */
    private static String checked(String what, String name) {
        if (!isName(name)) {
            throw new WireFormatException(
                    what + ": field 'hosts' has the host '" + name + "', must have " + RIGHT_NAME);
        }
        return name;
    }

    /** Whether it can be the name or the address of a host. */
    public static boolean isName(String host) {
        return NAME.matcher(host).matches();
    }

    private static Host host(Fields json) {
        List<Node> managers = new ArrayList<>();
        json.objects("nodeManagers").forEach(node -> managers.add(node(node)));
        if (managers.isEmpty()) {
            throw new WireFormatException(json.what() + ": field 'nodeManagers' is [], must have at least one");
        }
        return new Host(json.word("stage", Stage.class), json.number("peakWatts", 0, MOST, 0), managers);
    }

    private static Node node(Fields json) {
        return new Node(
                json.optionalText("partition").orElse(""),
                new ResourceVector(
                        json.integer("gpus", 0, MOST, 0),
                        json.integer("vcores", 0, MOST),
                        json.integer("memoryMiB", 0, MOST),
                        json.integer("gpuMemoryMiB", 0, MOST, 0),
                        json.integer("storageMBps", 0, MOST, 0),
                        json.integer("watts", 0, MOST, 0)));
    }
}
