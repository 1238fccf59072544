// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.JsonFile;
import io.treadle.simulator.input.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a ResourceManager answers under {@code /ws/v1/cluster/nodes}, and after it in the same file, where they are wanted,
 * what it answers under {@code /ws/v1/cluster/scheduler}, which says whose queues a node label is for, and Treadle's
 * {@code /ws/v1/treadle/nodes}, which knows the cards' models. Only nodes that run are taken.
 */
final class YarnNodes implements ClusterForm {
    /** What YARN's own pages call the nodes without a label. */
    private static final String UNLABELLED = "DEFAULT_PARTITION";

    private static final String GPUS = "yarn.io/gpu";
    private static final String GPU_MEMORY = "treadle.io/gpu-memory";
    private static final String STORAGE = "treadle.io/storage-bandwidth";

    @Override
    public String looksLike() {
        return "{\"nodes\":{\"node\":[…]}}, a ResourceManager's answer to /ws/v1/cluster/nodes; or its address";
    }

    @Override
    public boolean recognises(Head head) {
        return head.first().startsWith("{");
    }

    @Override
    public SimCluster read(Path file) {
        List<JsonObject> running = new ArrayList<>();
        Map<String, List<JsonObject>> devices = new HashMap<>();
        YarnQueues queues = new YarnQueues();
        JsonFile.objects(file, answer -> {
            JsonNode nodes = answer.path("nodes");
            if (nodes.isArray()) {
                new JsonObject(file, "nodes of Treadle", answer)
                        .list("nodes")
                        .forEach(node -> devices.put(node.text("node").orElse(""), node.list("devices")));
            } else if (answer.has("nodes")) {
                new JsonObject(file, "nodes", nodes)
                        .list("node").stream()
                                .filter(node -> node.text("state").orElse("").equals("RUNNING"))
                                .forEach(running::add);
            } else if (answer.has("scheduler")) {
                queues.add(new JsonObject(
                        file, "scheduler", answer.path("scheduler").path("schedulerInfo")));
            } else {
                throw new InputException(file + " holds an answer that is not known: must be one of a ResourceManager"
                        + " to /ws/v1/cluster/nodes, /ws/v1/cluster/scheduler or /ws/v1/treadle/nodes.");
            }
        });
        return SimCluster.of(file, partitions(file, running, devices, queues));
    }

    private static List<Partition> partitions(
            Path file, List<JsonObject> running, Map<String, List<JsonObject>> devices, YarnQueues queues) {
        Map<String, Integer> onHost = new HashMap<>();
        running.forEach(node -> onHost.merge(host(node), 1, Integer::sum));
        NodeList all = new NodeList(file);
        Map<String, List<NodeView>> labelled = new LinkedHashMap<>();
        for (JsonObject node : running) {
            String id = node.name("id");
            String name = onHost.getOrDefault(host(node), 1) > 1 ? id : host(node);
            labelled.computeIfAbsent(label(node), label -> new ArrayList<>())
                    .add(all.add(
                            name,
                            node.text("rack").orElse(""),
                            ResourceVector.of(
                                            0,
                                            resource(node, "vcores", "vCores", NodeList.MOST_VCORES),
                                            resource(node, "memory-mb", "memory", NodeList.MOST_MIB))
                                    .withStorageMBps(resource(node, STORAGE, "", NodeList.MOST_STORAGE_MBPS)),
                            cards(node, devices.getOrDefault(id, List.of()))));
        }
        if (labelled.size() == 1 && labelled.containsKey("")) {
            return List.of(new Partition("", all.nodes()));
        }
        List<Partition> partitions = new ArrayList<>();
        labelled.forEach((label, nodes) -> {
            String name = label.isEmpty() ? UNLABELLED : label;
            LinkedHashSet<String> names = new LinkedHashSet<>(queues.of(label));
            names.add(name);
            partitions.add(new Partition(name, nodes, names));
        });
        return partitions;
    }

    private static String host(JsonObject node) {
        return node.text("nodeHostName").orElseGet(() -> node.name("id"));
    }

    private static String label(JsonObject node) {
        JsonNode labels = node.json().path("nodeLabels");
        return (labels.isArray() ? labels.path(0) : labels).asText("");
    }

    /**
     * What the whole node has; Hadoop before 3.2 says only what is used and what is left.
     *
     * @param own the name of YARN's two oldest resources in the answer itself
     */
    private static long resource(JsonObject node, String name, String own, long most) {
        return node.has("totalResource")
                ? amount(node.object("totalResource"), name, own, most)
                : amount(node.object("usedResource"), name, own, most)
                        + amount(node.object("availableResource"), name, own, most);
    }

    private static long amount(JsonObject resource, String name, String own, long most) {
        Optional<JsonObject> named = resource.object("resourceInformations").list("resourceInformation").stream()
                .filter(one -> one.text("name").orElse("").equals(name))
                .findFirst();
        if (named.isPresent()) {
            return named.get().whole("value", 0, most);
        }
        return resource.has(own) ? resource.whole(own, 0, most) : 0;
    }

    /** By model where Treadle's nodes tell it of as many cards as YARN counts. */
    private static List<NodeList.Cards> cards(JsonObject node, List<JsonObject> devices) {
        int gpus = (int) resource(node, GPUS, "", NodeList.MOST_GPUS);
        List<JsonObject> sound = devices.stream()
                .filter(device -> device.text("health").orElse("").equals("ok"))
                .toList();
        if (gpus == 0 || sound.size() >= gpus) {
            return sound.subList(0, gpus).stream()
                    .map(device -> new NodeList.Cards(
                            device.name("model"), 1, device.whole("memoryMiB", 1, NodeList.MOST_CARD_MIB)))
                    .toList();
        }
        long memory = resource(node, GPU_MEMORY, "", NodeList.MOST_GPUS * NodeList.MOST_CARD_MIB) / gpus;
        return List.of(new NodeList.Cards("", gpus, memory == 0 ? NodeList.PARTS_OF_A_CARD : memory));
    }
}
