// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.jspecify.annotations.Nullable;

/**
 * The containers of one node at one moment, with their sizes and their devices. Immutable. Reading a node is what a snapshot
 * costs, so a reading is kept for as long as it {@linkplain #holdsFor holds}: that is ten times cheaper to find out.
 */
final class NodeReading {
    private final String id;
    private final List<Held> containers;
    private final Optional<NodeRecord> record;
    private final Optional<NodeDevices> devices;

    /**
     * A container of the node.
     *
     * @param size what it takes of the node's room
     * @param resource the scheduler's object that {@code size} was read from; it is replaced where the size changes
     * @param tags the scheduler's object that its devices were read from
     */
    record Held(
            RMContainer container,
            ContainerId id,
            ResourceVector size,
            Resource resource,
            @Nullable Collection<String> tags,
            ExecutionType kind) {
        static Held of(RMContainer container) {
            Resource resource = container.getAllocatedResource();
            return new Held(
                    container,
                    container.getContainerId(),
                    YarnResources.taken(container),
                    resource,
                    container.getAllocationTags(),
                    container.getExecutionType());
        }

        @SuppressWarnings("ReferenceEquality") // Hadoop replaces these objects; equal ones would only cost a look.
        private boolean isStill(RMContainer now) {
            return container == now
                    && resource == now.getAllocatedResource()
                    && tags == now.getAllocationTags()
                    && kind == now.getExecutionType();
        }
    }

    private NodeReading(String id, List<Held> containers, Optional<NodeRecord> record, Optional<NodeDevices> devices) {
        this.id = id;
        this.containers = containers;
        this.record = record;
        this.devices = devices;
    }

    /** @param id {@code host:port} of its NodeManager */
    static NodeReading of(FiCaSchedulerNode node, String id, Telemetry telemetry) {
        List<RMContainer> containers = node.getCopiedListOfRunningContainers();
        List<Held> held = new ArrayList<>(containers.size());
        containers.forEach(container -> held.add(Held.of(container)));
        Optional<NodeRecord> record = telemetry.node(id);
        return new NodeReading(
                id, List.copyOf(held), record, record.flatMap(known -> NodeDevices.of(known, containers)));
    }

    /** Whether the node still has the same containers, with the same sizes and tags, and reports the same devices. */
    boolean holdsFor(FiCaSchedulerNode node, Telemetry telemetry) {
        List<RMContainer> now = node.getCopiedListOfRunningContainers();
        if (now.size() != containers.size()) {
            return false;
        }
        for (int i = 0; i < now.size(); i++) {
            if (!containers.get(i).isStill(now.get(i))) {
                return false;
            }
        }
        Optional<NodeRecord> said = telemetry.node(id);
        return record.isPresent()
                ? said.isPresent() && NodeDevices.sameInventory(record.get(), said.get())
                : said.isEmpty();
    }

    /** {@code host:port} of the NodeManager. */
    String id() {
        return id;
    }

    /** Those of these containers that are on the node. */
    Set<ContainerId> among(Set<ContainerId> some) {
        return some.isEmpty()
                ? Set.of()
                : containers.stream().map(Held::id).filter(some::contains).collect(Collectors.toSet());
    }

    /** Whether the node's plugin has said anything. */
    boolean isReported() {
        return record.isPresent();
    }

    List<Held> containers() {
        return containers;
    }

    /** Empty where the devices cannot be told one by one, see {@link NodeDevices#of}. */
    Optional<NodeDevices> devices() {
        return devices;
    }
}
