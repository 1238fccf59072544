// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Nodes as they are read, each of its own name. */
final class NodeList {
    /** Parts of a card whose memory is not told: enough to tell shares of it apart. */
    static final long PARTS_OF_A_CARD = 1000;

    /** More would be no cluster that is known. */
    static final int MOST_NODES = 200_000;

    /** Of a node. */
    static final int MOST_GPUS = 1024;

    /** Of all nodes, where each is known for itself. */
    private static final int MOST_CARDS = 1_000_000;

    /** So much that all nodes together can still be counted. */
    static final long MOST_VCORES = 1L << 40;

    static final long MOST_MIB = 1L << 40;
    static final long MOST_GB = 1L << 30;
    static final long MOST_CARD_MIB = 1L << 30;

    /** Of a node, or of all together, MB/s: so little that what is told in KB/s or bytes/s is found out. */
    static final long MOST_STORAGE_MBPS = 10_000_000;

    /**
     * Cards that are alike.
     *
     * @param model their model; empty where it is not told
     * @param memoryMiB of each
     * @param linked so many side by side reach each other over a link of their own; 0 where nobody knows
     * @param link what the link is, such as {@code NVLink}
     */
    record Cards(String model, int count, long memoryMiB, int linked, String link) {
        Cards(String model, int count, long memoryMiB) {
            this(model, count, memoryMiB, 0, "");
        }
    }

    private final Path file;
    private final Set<String> names = new HashSet<>();
    private final List<NodeView> nodes = new ArrayList<>();
    private int cards;

    NodeList(Path file) {
        this.file = file;
    }

    List<NodeView> nodes() {
        return nodes;
    }

    /** Nodes are added whose GPUs are no more than a number where nobody knows their model. */
    NodeView add(String name, String rack, long vcores, long memoryMiB, int gpus, String model) {
        return model.isEmpty()
                ? add(name, rack, ResourceVector.of(gpus, vcores, memoryMiB))
                : add(
                        name,
                        rack,
                        ResourceVector.of(0, vcores, memoryMiB),
                        List.of(new Cards(model, gpus, PARTS_OF_A_CARD)));
    }

    /** A node of which nobody knows the cards. */
    NodeView add(String name, String rack, ResourceVector capacity) {
        return put(Nodes.node(name, rack, capacity, List.of()));
    }

    /** @param beside what it has beside the cards */
    NodeView add(String name, String rack, ResourceVector beside, List<Cards> groups) {
        List<DeviceView> devices = new ArrayList<>();
        long memory = 0;
        int links = 0;
        for (Cards alike : groups) {
            cards += alike.count();
            if (cards > MOST_CARDS) {
                throw new InputException(file + ": there are more than " + MOST_CARDS + " GPUs.");
            }
            for (int i = 0; i < alike.count(); i++) {
                links += alike.linked() > 0 && i % alike.linked() == 0 ? 1 : 0;
                String link = alike.linked() == 0 ? "" : alike.link() + " " + (links - 1);
                devices.add(
                        new DeviceView(name + "/" + devices.size(), alike.model(), alike.memoryMiB(), 0, true, link));
                memory += alike.memoryMiB();
            }
        }
        ResourceVector capacity = beside.withGpus(devices.size()).withGpuMemoryMiB(memory);
        return put(Nodes.node(name, rack, capacity, devices));
    }

    /** @throws InputException if a file names more nodes than that */
    static void checkNodes(Path file, long nodes) {
        if (nodes > MOST_NODES) {
            throw new InputException(file + ": there are more than " + MOST_NODES + " nodes.");
        }
    }

    private NodeView put(NodeView node) {
        if (!names.add(node.id())) {
            throw new InputException(file + ": node '" + node.id() + "' is named twice.");
        }
        checkNodes(file, nodes.size() + 1L);
        nodes.add(node);
        return node;
    }
}
