// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How fast each card of a cluster is against the one in whose time the trace states its jobs. */
final class CardSpeeds {
    private final Map<String, Double> models;
    /** By UUID, those whose speed is not 1. */
    private final Map<String, Double> cards = new HashMap<>();

    private final double fastest;

    CardSpeeds(SimCluster cluster) {
        models = cluster.speeds();
        if (models.isEmpty()) {
            fastest = 1;
            return;
        }
        for (Partition partition : cluster.partitions()) {
            for (NodeView node : partition.nodes()) {
                for (DeviceView device : node.devices()) {
                    double speed = of(device.model());
                    if (speed != 1) {
                        cards.put(device.uuid(), speed);
                    }
                }
            }
        }
        fastest = cluster.partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .flatMap(node -> node.devices().stream())
                .mapToDouble(device -> of(device.model()))
                .max()
                .orElse(1);
    }

    /** Of a model; 1 where nobody has said. */
    double of(String model) {
        return models.getOrDefault(model, 1.0);
    }

    /** Of the fastest card that the cluster has. */
    double fastest() {
        return fastest;
    }

    /** Of the slowest card that the tasks hold: they wait for each other. 1 where nobody knows their cards. */
    double slowest(List<TaskPlacement> tasks) {
        double slowest = Double.MAX_VALUE;
        if (!cards.isEmpty()) {
            for (TaskPlacement task : tasks) {
                for (DeviceShare share : task.devices()) {
                    slowest = Math.min(slowest, cards.getOrDefault(share.uuid(), 1.0));
                }
            }
        }
        return slowest == Double.MAX_VALUE ? 1 : slowest;
    }

    /** GPUs of the partition, each counted as its speed. */
    double gpus(Partition partition) {
        if (models.isEmpty()) {
            return partition.capacity().gpus();
        }
        double gpus = 0;
        for (NodeView node : partition.nodes()) {
            gpus += node.devices().isEmpty()
                    ? node.capacity().gpus()
                    : node.devices().stream()
                            .mapToDouble(device -> of(device.model()))
                            .sum();
        }
        return gpus;
    }
}
