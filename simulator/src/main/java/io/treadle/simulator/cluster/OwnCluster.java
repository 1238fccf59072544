// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Our own form, {@code docs/spec/cluster-file.md}. */
final class OwnCluster implements ClusterForm {
    private static final String VERSION = "treadle-cluster";
    private static final Set<String> TOP = Set.of(
            VERSION,
            "name",
            "sharing",
            "sharedStorageMBps",
            "spines",
            "racks",
            "nodes",
            "links",
            "partitions",
            "gpuSpeeds",
            "failures",
            "maintenance",
            "power");

    @Override
    public String looksLike() {
        return VERSION + ": 1";
    }

    @Override
    public boolean recognises(Head head) {
        return head.lines().stream().anyMatch(line -> line.startsWith(VERSION + ":"));
    }

    @Override
    public SimCluster read(Path file) {
        YamlValue root = YamlValue.read(file);
        Map<String, YamlValue> top = root.fields(TOP);
        YamlValue version = top.get(VERSION);
        if (version == null || !version.text().equals("1")) {
            throw (version == null ? root : version).wrong("version 1 of this form: " + VERSION + ": 1");
        }
        YamlValue storage = top.get("sharedStorageMBps");
        long shared = storage == null ? 0 : storage.megabytesPerSecond(NodeList.MOST_STORAGE_MBPS);
        // A node of which nothing is told can draw all that the file system gives.
        PhysicalTree nodes = new PhysicalTree(file, Optional.ofNullable(top.get("links")), shared);
        forEach(top.get("spines"), nodes::addSpine);
        forEach(top.get("racks"), rack -> nodes.addRack("", rack));
        forEach(top.get("nodes"), node -> nodes.addNodes("", node));
        nodes.addHosts();
        Map<String, Double> speeds = new HashMap<>();
        YamlValue models = top.get("gpuSpeeds");
        if (models != null) {
            models.fields(Set.of()).forEach((model, speed) -> speeds.put(model, speed.positive()));
        }
        YamlValue partitions = top.get("partitions");
        List<Partition> logical =
                partitions == null ? List.of(new Partition("", nodes.nodes())) : new Logical(nodes).read(partitions);
        YamlValue name = top.get("name");
        SimCluster cluster = new SimCluster(
                name == null ? String.valueOf(file.getFileName()) : name.text(),
                logical,
                sharing(top.get("sharing")),
                speeds,
                new OutageReader(file, nodes).read(top.get("failures"), top.get("maintenance")),
                shared,
                Optional.empty());
        YamlValue power = top.get("power");
        return power == null ? cluster : cluster.with(PowerFields.read(power));
    }

    /** Files beside this one that it names: they are part of the cluster. */
    static List<Path> named(Path file) {
        Map<String, YamlValue> top = YamlValue.read(file).fields(TOP);
        List<Path> files = new ArrayList<>();
        for (String field : List.of("links", "failures")) {
            YamlValue value = top.get(field);
            if (value != null) {
                for (YamlValue entry : value.isList() ? value.list() : List.of(value)) {
                    YamlValue name = entry.fields(Set.of()).get("file");
                    if (name != null) {
                        files.add(file.resolveSibling(name.text()));
                    }
                }
            }
        }
        return files;
    }

    private static SimCluster.Sharing sharing(@Nullable YamlValue value) {
        return switch (value == null ? "nothing" : value.text()) {
            case "nothing" -> SimCluster.Sharing.NOTHING;
            case "cpu-and-memory" -> SimCluster.Sharing.CPU_AND_MEMORY;
            default -> throw Objects.requireNonNull(value).wrong("nothing or cpu-and-memory");
        };
    }

    private static void forEach(@Nullable YamlValue list, java.util.function.Consumer<YamlValue> consumer) {
        if (list != null) {
            list.list().forEach(consumer);
        }
    }

    /** Partitions and queues over the nodes. */
    private static final class Logical {
        private final PhysicalTree physical;
        private final Map<String, String> partitionOf = new HashMap<>();
        private final Map<String, String> partitionOfQueue = new HashMap<>();

        Logical(PhysicalTree physical) {
            this.physical = physical;
        }

        List<Partition> read(YamlValue list) {
            Map<String, Partition> partitions = new LinkedHashMap<>();
            for (YamlValue value : list.list()) {
                Partition partition = partition(value);
                if (partitions.put(partition.name(), partition) != null) {
                    throw value.wrong("of a name of its own, not '" + partition.name() + "' again");
                }
            }
            for (NodeView node : physical.nodes()) {
                if (node.capacity().gpus() > 0 && !partitionOf.containsKey(node.id())) {
                    throw list.wrong("such that each node with GPUs is in one; '" + node.id() + "' is in none");
                }
            }
            return List.copyOf(partitions.values());
        }

        private Partition partition(YamlValue value) {
            Map<String, YamlValue> fields = value.fields(Set.of("name", "nodes", "queues"));
            String name = required(value, fields, "name").text();
            List<NodeView> nodes = new ArrayList<>();
            for (YamlValue entry : required(value, fields, "nodes").list()) {
                List<NodeView> named = physical.named(entry.text());
                if (named.isEmpty()) {
                    throw entry.wrong("the name of a node, of a kind of nodes, of a rack or of a spine");
                }
                for (NodeView node : named) {
                    String other = partitionOf.putIfAbsent(node.id(), name);
                    if (other != null) {
                        throw entry.wrong("in one partition; node '" + node.id() + "' is in '" + other + "' already");
                    }
                    nodes.add(node);
                }
            }
            Set<String> queues = new LinkedHashSet<>();
            YamlValue list = fields.get("queues");
            Optional<SharedQueue> root = Optional.ofNullable(list)
                    .filter(SharedQueueReader::isMeant)
                    .map(new SharedQueueReader(
                            nodes.stream().mapToLong(n -> n.capacity().gpus()).sum())::read);
            for (String queue : names(name, list, root)) {
                String other = partitionOfQueue.putIfAbsent(queue, name);
                if (other != null) {
                    throw value.wrong("of queues of its own; '" + queue + "' is of '" + other + "' already");
                }
                queues.add(queue);
            }
            return new Partition(name, nodes, queues, root);
        }

        /** Queues of the trace whose jobs come to the partition. */
        private static List<String> names(String partition, @Nullable YamlValue list, Optional<SharedQueue> root) {
            if (root.isPresent()) {
                return root.get()
                        .leaves()
                        .flatMap(leaf -> leaf.takes().stream().sorted())
                        .toList();
            }
            return list == null
                    ? List.of(partition)
                    : list.list().stream().map(YamlValue::text).toList();
        }
    }

    static YamlValue required(YamlValue of, Map<String, YamlValue> fields, String name) {
        YamlValue field = fields.get(name);
        if (field == null) {
            throw of.wrong("a mapping with the field '" + name + "'");
        }
        return field;
    }
}
