// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of all partitions by number, and their GPUs, the cells of the grid, by number too. */
final class NodeTable {
    /** Nodes of one partition follow each other. */
    record Span(String name, int firstNode, int nodes) {}

    private final List<Span> partitions = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> racks = new ArrayList<>();
    private final Map<String, Integer> indexOf = new HashMap<>();
    private final Map<String, Integer> slotOfDevice = new HashMap<>();
    private final Ints firstCell = new Ints();
    private final Longs cardMiB = new Longs();

    NodeTable(SimCluster cluster) {
        int cells = 0;
        for (Partition partition : cluster.partitions()) {
            partitions.add(
                    new Span(partition.name(), names.size(), partition.nodes().size()));
            for (NodeView node : partition.nodes()) {
                indexOf.put(node.id(), names.size());
                names.add(node.id());
                racks.add(node.rack());
                firstCell.add(cells);
                cells += Math.toIntExact(node.capacity().gpus());
                cardMiB.add(node.devices().isEmpty() ? 1 : node.devices().get(0).memoryMiB());
                for (int slot = 0; slot < node.capacity().gpus(); slot++) {
                    slotOfDevice.put(
                            node.devices().isEmpty()
                                    ? SimCluster.gpuName(node.id(), slot)
                                    : node.devices().get(slot).uuid(),
                            slot);
                }
            }
        }
        firstCell.add(cells);
    }

    List<Span> partitions() {
        return partitions;
    }

    int size() {
        return names.size();
    }

    String name(int node) {
        return names.get(node);
    }

    /** Its name below those of its spine and rack: {@code spine/rack/node}. */
    String path(int node) {
        return racks.get(node).isEmpty() ? name(node) : racks.get(node) + "/" + name(node);
    }

    /** @throws IllegalArgumentException if there is no such node */
    int index(String name) {
        Integer index = indexOf.get(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no node '" + name + "'");
        }
        return index;
    }

    /** Which of its node's GPUs a device is, from 0; −1 where that is not known. */
    int slot(String device) {
        return slotOfDevice.getOrDefault(device, -1);
    }

    /** Memory of one of its GPUs, MiB; 1 where it is not known. */
    long cardMiB(int node) {
        return cardMiB.get(node);
    }

    int firstCell(int node) {
        return firstCell.get(node);
    }

    int gpus(int node) {
        return firstCell.get(node + 1) - firstCell.get(node);
    }

    int cells() {
        return firstCell.get(names.size());
    }
}
