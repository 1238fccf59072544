// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who holds which device of one node. Rebuilt from the allocation tags of the containers that live there whenever it is
 * needed: it has no state that a restart could lose.
 */
final class NodeDevices {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDevices.class);

    private final List<NodeRecord.Device> inventory;
    private final Map<ContainerId, List<DeviceShare>> held = new HashMap<>();

    private NodeDevices(List<NodeRecord.Device> inventory) {
        this.inventory = inventory;
    }

    /**
     * Empty where the devices of the node cannot be told one by one: its plugin has not spoken, or a container there
     * holds GPUs of which nobody knows which.
     */
    static Optional<NodeDevices> of(FiCaSchedulerNode node, Telemetry telemetry) {
        return telemetry
                .node(node.getNodeID().toString())
                .flatMap(record -> of(record, node.getCopiedListOfRunningContainers()));
    }

    /** The same from a node's record and its containers. */
    static Optional<NodeDevices> of(NodeRecord record, List<RMContainer> containers) {
        NodeDevices devices = new NodeDevices(record.devices());
        for (RMContainer container : containers) {
            if (!devices.add(container)) {
                return Optional.empty();
            }
        }
        return Optional.of(devices);
    }

    /** Whether two records say the same of all that this class reads: they differ in what devices draw every 10 s. */
    static boolean sameInventory(NodeRecord before, NodeRecord now) {
        List<NodeRecord.Device> left = before.devices();
        List<NodeRecord.Device> right = now.devices();
        return left.size() == right.size()
                && IntStream.range(0, left.size()).allMatch(i -> sameDevice(left.get(i), right.get(i)));
    }

    private static boolean sameDevice(NodeRecord.Device before, NodeRecord.Device now) {
        return before.uuid().equals(now.uuid())
                && before.model().equals(now.model())
                && before.memoryMiB() == now.memoryMiB()
                && before.health() == now.health()
                && before.containers().equals(now.containers());
    }

    /**
     * False for a container that holds GPUs without saying which. An opportunistic container waits on the node without
     * GPUs until the node says which it has.
     */
    private boolean add(RMContainer container) {
        List<DeviceShare> shares = new ArrayList<>();
        for (DeviceTag tag : tags(container)) {
            shares.add(new DeviceShare(
                    tag.uuid(),
                    tag.sliceMiB().orElseGet(() -> memoryOf(tag.uuid())),
                    tag.sliceMiB().isEmpty()));
        }
        ResourceVector size = YarnResources.vector(container.getAllocatedResource());
        if (shares.isEmpty() && needsDevices(size)) {
            boolean whole = size.gpus() > 0;
            String id = container.getContainerId().toString();
            for (NodeRecord.Device device : inventory) {
                if (device.containers().contains(id)) {
                    shares.add(new DeviceShare(device.uuid(), whole ? device.memoryMiB() : size.gpuMemoryMiB(), whole));
                }
            }
            if (shares.size() < Math.max(1, size.gpus())) {
                return container.getExecutionType() == ExecutionType.OPPORTUNISTIC;
            }
        }
        held.put(container.getContainerId(), shares);
        return true;
    }

    /** The same when these containers have gone. */
    NodeDevices without(Set<ContainerId> gone) {
        NodeDevices left = new NodeDevices(inventory);
        left.held.putAll(held);
        left.held.keySet().removeAll(gone);
        return left;
    }

    List<DeviceShare> heldBy(ContainerId container) {
        return held.getOrDefault(container, List.of());
    }

    /** The devices as a snapshot shows them: what these containers hold is left to the planner, what others hold is used. */
    List<DeviceView> views(Set<ContainerId> planned) {
        Map<String, Long> used = new HashMap<>();
        held.forEach((container, shares) -> {
            if (!planned.contains(container)) {
                shares.forEach(s -> used.merge(s.uuid(), s.memoryMiB(), Long::sum));
            }
        });
        return inventory.stream()
                .map(d -> new DeviceView(
                        d.uuid(),
                        d.model(),
                        d.memoryMiB(),
                        Math.min(d.memoryMiB(), used.getOrDefault(d.uuid(), 0L)),
                        d.health() == NodeRecord.Health.OK))
                .toList();
    }

    /** Tags of whole devices that nobody holds or has claimed any part of; empty if there are fewer than {@code count}. */
    Optional<Set<String>> freeWhole(long count, Set<String> claimed) {
        List<String> free = freeWhole(claimed);
        return free.size() < count
                ? Optional.empty()
                : Optional.of(free.stream()
                        .limit(count)
                        .map(uuid -> DeviceTag.whole(uuid).format())
                        .collect(Collectors.toSet()));
    }

    /** Uuids of the devices that work and of which no part is held or claimed. */
    List<String> freeWhole(Set<String> claimed) {
        return views(Set.of()).stream()
                .filter(device -> device.usable() && device.usedMiB() == 0 && !claimed.contains(device.uuid()))
                .map(DeviceView::uuid)
                .toList();
    }

    /** Whether a container of this size holds GPUs, or a part of one. */
    static boolean needsDevices(ResourceVector size) {
        return size.gpus() > 0 || size.gpuMemoryMiB() > 0;
    }

    /**
     * The tags of the devices that a plain application gets: whole GPUs, or a slice of one; empty where there are none.
     *
     * @param claimed devices that are left to others
     */
    Optional<Set<String>> choose(ResourceVector size, Set<String> claimed) {
        return size.gpus() > 0
                ? freeWhole(size.gpus(), claimed)
                : size.gpuMemoryMiB() > 0 ? slice(size.gpuMemoryMiB(), claimed) : Optional.of(Set.of());
    }

    /** On the device that has least memory free among those that have enough. */
    private Optional<Set<String>> slice(long memoryMiB, Set<String> claimed) {
        Set<String> whole = uuids(true);
        return views(Set.of()).stream()
                .filter(d -> d.usable()
                        && !whole.contains(d.uuid())
                        && !claimed.contains(d.uuid())
                        && d.memoryMiB() - d.usedMiB() >= memoryMiB)
                .min(Comparator.comparingLong((DeviceView d) -> d.memoryMiB() - d.usedMiB())
                        .thenComparing(DeviceView::uuid))
                .map(d -> Set.of(DeviceTag.slice(d.uuid(), memoryMiB).format()));
    }

    /** Devices of which somebody holds all, or a part. */
    private Set<String> uuids(boolean whole) {
        return held.values().stream()
                .flatMap(List::stream)
                .filter(s -> s.whole() == whole)
                .map(DeviceShare::uuid)
                .collect(Collectors.toSet());
    }

    /**
     * Whether a plain application may be offered the node for a container of this size. Where YARN's count has room, the
     * devices must be free one by one. Where it has none yet, they must at least be whole, or large enough for the slice:
     * the node may be reserved for them.
     *
     * @param uncharged what YARN's count has left on the node
     */
    boolean offers(ResourceVector size, ResourceVector uncharged) {
        if (size.gpus() <= uncharged.gpus() && (size.gpus() > 0 || size.gpuMemoryMiB() <= uncharged.gpuMemoryMiB())) {
            return choose(size, Set.of()).isPresent();
        }
        if (size.gpus() == 0) {
            return inventory.stream()
                    .anyMatch(d -> d.health() == NodeRecord.Health.OK && d.memoryMiB() >= size.gpuMemoryMiB());
        }
        Set<String> sliced = uuids(false);
        return inventory.stream()
                        .filter(d -> d.health() == NodeRecord.Health.OK && !sliced.contains(d.uuid()))
                        .count()
                >= size.gpus();
    }

    /** Why the node cannot give these devices to new containers now; empty if it can. */
    Optional<String> obstacle(List<DeviceShare> wanted) {
        Map<String, DeviceView> devices = new HashMap<>();
        views(Set.of()).forEach(d -> devices.put(d.uuid(), d));
        Map<String, Long> taken = new HashMap<>();
        for (DeviceShare share : wanted) {
            DeviceView device = devices.get(share.uuid());
            if (device == null || !device.usable()) {
                return Optional.of("device " + share.uuid() + " is lost");
            }
            long used = device.usedMiB() + taken.getOrDefault(share.uuid(), 0L);
            if (used + share.memoryMiB() > device.memoryMiB() || (share.whole() && used > 0)) {
                return Optional.of("device " + share.uuid() + " has " + (device.memoryMiB() - used) + " of "
                        + device.memoryMiB() + " MiB free, the gang needs " + share.memoryMiB());
            }
            taken.merge(share.uuid(), share.memoryMiB(), Long::sum);
        }
        return Optional.empty();
    }

    private long memoryOf(String uuid) {
        return inventory.stream()
                .filter(d -> d.uuid().equals(uuid))
                .mapToLong(NodeRecord.Device::memoryMiB)
                .findFirst()
                .orElse(0);
    }

    static List<DeviceTag> tags(RMContainer container) {
        @Nullable Collection<String> tags = container.getAllocationTags();
        List<DeviceTag> devices = new ArrayList<>();
        for (String tag : tags == null ? List.<String>of() : tags) {
            try {
                DeviceTag.parse(tag).ifPresent(devices::add);
            } catch (WireFormatException e) {
                LOG.debug("Not a device of ours, maybe set by a newer Treadle: {}", e.getMessage());
            }
        }
        return devices;
    }

    /** The tags that say which devices a container holds. */
    static Set<String> tagsOf(List<DeviceShare> shares) {
        Set<String> tags = new HashSet<>();
        for (DeviceShare share : shares) {
            tags.add((share.whole() ? DeviceTag.whole(share.uuid()) : DeviceTag.slice(share.uuid(), share.memoryMiB()))
                    .format());
        }
        return tags;
    }
}
