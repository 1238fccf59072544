// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.profile.Telemetry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * The power caps that running containers stand for: what a container holds of {@code treadle.io/power} is the cap of its GPUs
 * together, so that caps outlive a restart of the ResourceManager as containers do.
 */
public final class ContainerCaps {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;

    public ContainerCaps(SchedulerAccess scheduler, Telemetry telemetry) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /** Caps by node and by UUID, W. Nodes whose devices are not known one by one are left out; no cap is no entry. */
    public Map<String, Map<String, Double>> byNode() {
        Map<String, Map<String, Double>> all = new HashMap<>();
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            String id = node.getNodeID().toString();
            List<RMContainer> containers = node.getCopiedListOfRunningContainers();
            if (containers.stream().allMatch(container -> size(container).watts() == 0)) {
                all.put(id, Map.of());
            } else {
                NodeDevices.of(node, telemetry).ifPresent(devices -> all.put(id, caps(containers, devices)));
            }
        }
        return all;
    }

    private static Map<String, Double> caps(List<RMContainer> containers, NodeDevices devices) {
        Map<String, Double> caps = new HashMap<>();
        Set<String> free = new HashSet<>();
        for (RMContainer container : containers) {
            ResourceVector size = size(container);
            List<DeviceShare> held = devices.heldBy(container.getContainerId());
            for (DeviceShare share : held) {
                if (size.watts() > 0) {
                    // Who shares a GPU shares its cap: the highest that one of them has.
                    caps.merge(share.uuid(), (double) size.watts() / held.size(), Math::max);
                } else {
                    free.add(share.uuid());
                }
            }
        }
        caps.keySet().removeAll(free);
        return caps;
    }

    private static ResourceVector size(RMContainer container) {
        return YarnResources.vector(container.getAllocatedResource());
    }
}
