// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.power.ClusterDraw;
import io.treadle.rm.power.Owner;
import io.treadle.rm.power.Owners;
import io.treadle.rm.profile.Telemetry;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * What containers that have just started are going to draw. Nodes tell it seconds later, and a worker that loads draws little:
 * queues that share a budget and begin together would all take the same watts.
 */
public final class StartingDraw {
    /** Until a worker trains, ms. */
    static final long YOUNG_MS = 60_000;

    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Owners owners;
    private final InstantSource clock;

    public StartingDraw(SchedulerAccess scheduler, Telemetry telemetry, Owners owners, InstantSource clock) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.owners = owners;
        this.clock = clock;
    }

    /** The draw of queues, with what their young containers may draw by their caps and limits, and do not draw yet. */
    public ClusterDraw with(ClusterDraw draw) {
        if (!telemetry.knowsNodes()) {
            return draw;
        }
        Map<String, Double> more = new HashMap<>();
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            // Of a node without GPUs nothing is looked up: this runs every few seconds, on clusters of any size.
            telemetry
                    .node(node.getNodeID().toString())
                    .filter(record -> !record.devices().isEmpty())
                    .ifPresent(record -> add(node, record, more));
        }
        return draw.withQueues(more);
    }

    private void add(FiCaSchedulerNode node, NodeRecord record, Map<String, Double> more) {
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            ResourceVector size = YarnResources.vector(container.getAllocatedResource());
            boolean isYoung = clock.millis() - container.getCreationTime() < YOUNG_MS;
            if (size.gpus() > 0 && isYoung) {
                double open =
                        most(size, record) - drawn(container.getContainerId().toString(), record);
                owners.of(container.getApplicationAttemptId().getApplicationId().toString())
                        .map(Owner::queue)
                        .ifPresent(queue -> more.merge(queue, Math.max(0, open), Double::sum));
            }
        }
    }

    private static double most(ResourceVector size, NodeRecord node) {
        double limit = node.devices().stream()
                .mapToDouble(device -> device.power()
                        .map(DevicePower::ownCapWatts)
                        .filter(own -> own > 0)
                        .orElse(device.capWatts()))
                .max()
                .orElse(0);
        return size.watts() > 0 ? size.watts() : size.gpus() * limit;
    }

    private static double drawn(String container, NodeRecord node) {
        return node.devices().stream()
                .filter(device -> device.containers().contains(container))
                .mapToDouble(device -> device.watts() / device.containers().size())
                .sum();
    }
}
