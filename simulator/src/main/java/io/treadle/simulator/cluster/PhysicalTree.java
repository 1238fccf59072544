// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import static io.treadle.simulator.cluster.OwnCluster.required;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.YamlValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Spines, racks, nodes and their cards of our own form. The rack of a node below a spine is called {@code spine/rack}, so
 * that what knows racks alone tells equal names below two spines apart.
 */
final class PhysicalTree {
    private final Path file;
    private final NodeList list;
    /** Of nodes that do not tell theirs; 0 where nobody knows it. */
    private final long storageMBps;

    private final Optional<LinkList> links;
    private final Optional<YamlValue> hosts;
    /** Nodes by their own name, by that of their kind and by those of their rack and spine. */
    private final Map<String, List<NodeView>> named = new HashMap<>();

    /**
     * @param links the value of the field {@code links}
     * @param storageMBps storage bandwidth of nodes that do not tell theirs; 0 where nobody knows it
     */
    PhysicalTree(Path file, Optional<YamlValue> links, long storageMBps) {
        this.file = file;
        this.storageMBps = storageMBps;
        list = new NodeList(file);
        Optional<Map<String, YamlValue>> fields = links.map(value -> value.fields(Set.of("file", "hosts")));
        this.links = links.map(value -> LinkList.read(beside(required(value, fields.orElseThrow(), "file"))));
        hosts = fields.map(known -> known.get("hosts"));
    }

    private Path beside(YamlValue name) {
        try {
            return file.resolveSibling(name.text());
        } catch (InvalidPathException e) {
            InputException wrong = name.wrong("a file");
            wrong.addSuppressed(e);
            throw wrong;
        }
    }

    List<NodeView> nodes() {
        return list.nodes();
    }

    /** Empty where nothing has this name. */
    List<NodeView> named(String name) {
        return named.getOrDefault(name, List.of());
    }

    void addSpine(YamlValue spine) {
        Map<String, YamlValue> fields = spine.fields(Set.of("name", "racks"));
        String name = required(spine, fields, "name").text();
        required(spine, fields, "racks").list().forEach(rack -> addRack(name + "/", rack));
    }

    /** @param above empty, or the spine's name and a slash */
    void addRack(String above, YamlValue rack) {
        Map<String, YamlValue> fields = rack.fields(Set.of("name", "nodes"));
        String name = above + required(rack, fields, "name").text();
        required(rack, fields, "nodes").list().forEach(node -> addNodes(name, node));
    }

    void addNodes(String rack, YamlValue value) {
        Map<String, YamlValue> fields =
                value.fields(Set.of("name", "count", "vcores", "memory", "storageMBps", "gpus"));
        String name = required(value, fields, "name").text();
        YamlValue count = fields.get("count");
        long nodes = count == null ? 1 : count.whole(1, NodeList.MOST_NODES);
        for (int i = 0; i < nodes; i++) {
            String own = count == null ? name : name + "-" + i;
            add(own, name, rack.isEmpty() ? linked(own, value) : rack, fields);
        }
    }

    /** Where the links say that a node is that no rack holds. */
    private String linked(String node, YamlValue value) {
        return links.map(known -> Optional.ofNullable(known.racks().get(node))
                        .orElseThrow(() ->
                                value.wrong("of a name that the links know, or in a rack; '" + node + "' is neither")))
                .orElse("");
    }

    /** The hosts of the links that are not named themselves, where they are to be nodes. */
    void addHosts() {
        hosts.ifPresent(kind -> {
            Map<String, YamlValue> fields = kind.fields(Set.of("vcores", "memory", "storageMBps", "gpus"));
            links.orElseThrow().racks().forEach((host, rack) -> {
                if (named(host).isEmpty()) {
                    add(host, host, rack, fields);
                }
            });
        });
    }

    private void add(String name, String kind, String rack, Map<String, YamlValue> fields) {
        YamlValue vcores = fields.get("vcores");
        YamlValue memory = fields.get("memory");
        YamlValue storage = fields.get("storageMBps");
        ResourceVector beside = ResourceVector.of(
                        0,
                        vcores == null ? 0 : vcores.whole(0, NodeList.MOST_VCORES),
                        memory == null ? 0 : memory.memoryMiB(NodeList.MOST_MIB))
                .withStorageMBps(
                        storage == null ? storageMBps : storage.megabytesPerSecond(NodeList.MOST_STORAGE_MBPS));
        NodeView node = add(name, rack, beside, fields.get("gpus"));
        Set<String> names = new LinkedHashSet<>(List.of(name, kind));
        if (!rack.isEmpty()) {
            names.add(rack);
            names.addAll(List.of(rack.split("/")));
        }
        names.forEach(by -> named.computeIfAbsent(by, key -> new ArrayList<>()).add(node));
    }

    private NodeView add(String name, String rack, ResourceVector beside, @Nullable YamlValue gpus) {
        if (gpus == null || (!gpus.isList() && !gpus.isMapping())) {
            int count = gpus == null ? 0 : (int) gpus.whole(0, NodeList.MOST_GPUS);
            return list.add(name, rack, beside.withGpus(count));
        }
        List<NodeList.Cards> cards = new ArrayList<>();
        for (YamlValue group : gpus.isList() ? gpus.list() : List.of(gpus)) {
            Map<String, YamlValue> fields = group.fields(Set.of("model", "count", "memory", "linked", "link"));
            String model = required(group, fields, "model").text();
            int count = (int) required(group, fields, "count").whole(0, NodeList.MOST_GPUS);
            YamlValue memory = fields.get("memory");
            YamlValue linked = fields.get("linked");
            YamlValue link = fields.get("link");
            if (link != null && linked == null) {
                throw group.wrong("with 'linked', how many cards side by side the link joins");
            }
            cards.add(new NodeList.Cards(
                    model,
                    count,
                    memory == null ? NodeList.PARTS_OF_A_CARD : Math.max(1, memory.memoryMiB(NodeList.MOST_CARD_MIB)),
                    linked == null ? 0 : (int) linked.whole(1, NodeList.MOST_GPUS),
                    link == null ? "link" : link.text()));
        }
        return list.add(name, rack, beside, cards);
    }
}
