// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.NodeKind;
import io.treadle.rm.sleep.Sleeping;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Finds out at submission whether a gang can ever fit on the cluster, and says with numbers if it cannot. */
public final class SubmissionCheck {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final LargestCluster cluster;
    private final RoundedSizes sizes;

    /**
     * What is wrong with a job.
     *
     * @param text in numbers
     * @param later why it may be right later; empty for a job that is refused
     */
    record Problem(String text, Optional<String> later) {}

    /** @param sleeping nodes that are off count: a job that needs them wakes them */
    public SubmissionCheck(SchedulerAccess scheduler, Telemetry telemetry, Sleeping sleeping, LargestCluster cluster) {
        this.sleeping = sleeping;
        this.cluster = cluster;
        this.sizes = new RoundedSizes(scheduler);
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /** A node has registered. */
    public void nodeJoined(NodeId id) {
        scheduler.node(id).ifPresent(node -> cluster.nodeJoined(node.getPartition()));
    }

    /** The job with its asks as YARN rounds them; see {@link RoundedSizes#asked}. */
    GangSpec asked(GangSpec spec, String queuePath) {
        return scheduler
                .queue(queuePath)
                .map(queue -> sizes.asked(spec, queue.getMaximumAllocation()))
                .orElse(spec);
    }

    /** Empty for a gang that fits, or as long as no node has registered or it is not known which are switched off. */
    Optional<Problem> check(GangSpec said, String queuePath, String partition) {
        for (GangSpec.Group group : said.groups()) {
            Optional<String> problem = size(group, queuePath);
            if (problem.isPresent()) {
                return problem.map(text -> new Problem(text, Optional.empty()));
            }
        }
        GangSpec spec = asked(said, queuePath);
        List<FiCaSchedulerNode> nodes = nodes(Set.of(partition));
        if (nodes.isEmpty() || !sleeping.isKnown()) {
            return Optional.empty();
        }
        Set<String> lending = partition.isEmpty() ? scheduler.lendingPartitions() : Set.of();
        List<ResourceVector> off = off(partition);
        return room(spec, queuePath, partition, nodes, nodes(lending), off)
                .map(text -> new Problem(
                        text,
                        Stream.concat(Stream.of(partition), lending.stream())
                                .map(this::mayGrow)
                                .flatMap(Optional::stream)
                                .findFirst()));
    }

    private List<FiCaSchedulerNode> nodes(Set<String> partitions) {
        return partitions.isEmpty()
                ? List.of()
                : scheduler.nodes().stream()
                        .filter(node -> partitions.contains(node.getPartition()))
                        .toList();
    }

    /** Why a job that is too large for the nodes of the partition may fit later; empty where it never will. */
    public Optional<String> mayGrow(String partition) {
        return cluster.mayGrow(partition, off(partition).stream().reduce(ResourceVector.ZERO, ResourceVector::plus));
    }

    private List<ResourceVector> off(String partition) {
        return sleeping.off().stream()
                .filter(kind -> kind.partition().equals(partition))
                .map(NodeKind::capacity)
                .toList();
    }

    /** @param lent nodes of other partitions on which the gang may have what is idle */
    private Optional<String> room(
            GangSpec spec,
            String queuePath,
            String partition,
            List<FiCaSchedulerNode> nodes,
            List<FiCaSchedulerNode> lent,
            List<ResourceVector> off) {
        List<FiCaSchedulerNode> all = new ArrayList<>(nodes);
        all.addAll(lent);
        for (GangSpec.Group group : spec.groups()) {
            Optional<String> problem = group(group, all, off);
            if (problem.isPresent()) {
                return problem;
            }
        }
        ResourceVector gang = spec.groups().stream()
                .map(g -> g.resources().times(g.min()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        return scheduler.queue(queuePath).flatMap(queue -> {
            ResourceVector on = total(nodes);
            ResourceVector own = off.isEmpty()
                    ? QueueLimits.limit(queue, partition)
                    : QueueLimits.limitWith(queue, partition, on, off.stream().reduce(on, ResourceVector::plus));
            // No queue's maximum counts there.
            ResourceVector limit = own.plus(total(lent));
            return gang.fitsIn(limit)
                    ? Optional.empty()
                    : Optional.of(
                            "queue '" + queuePath + "' can hold at most " + limit.describe()
                                    + "; this job's gang needs " + gang.describe()
                                    + ".\nMaybe lower 'count', submit to a larger queue, or mark the group elastic with a 'min'.");
        });
    }

    private static ResourceVector total(List<FiCaSchedulerNode> nodes) {
        return nodes.stream()
                .map(node -> YarnResources.vector(node.getTotalResource()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** A gang's containers take their sizes from the submission: YARN has not checked them against its limits. */
    private Optional<String> size(GangSpec.Group group, String queuePath) {
        ResourceVector ask = group.resources();
        // What is less than the cluster's smallest container is rounded up to it, as YARN does with every ask.
        if (ask.vcores() < 1 || ask.memoryMiB() < 1) {
            return Optional.of(each(group, ask) + ", a container has at least "
                    + ResourceVector.of(0, 1, 1).describe() + ".\nMaybe ask for more in each task.");
        }
        return scheduler.queue(queuePath).flatMap(queue -> {
            ResourceVector most = YarnResources.vector(queue.getMaximumAllocation());
            return ask.fitsIn(most)
                    ? Optional.empty()
                    : Optional.of(each(group, ask) + ", the largest container of queue '" + queuePath + "' has "
                            + most.where(most.minus(ask).times(-1)).describe() + ".\nMaybe ask for less in each task.");
        });
    }

    private static String each(GangSpec.Group group, ResourceVector ask) {
        return "task group '" + group.name() + "' asks for " + ask.describe() + " for each task";
    }

    private Optional<String> group(
            GangSpec.Group group, Collection<FiCaSchedulerNode> nodes, List<ResourceVector> off) {
        long room = off.stream()
                .mapToLong(capacity -> capacity.count(group.resources()))
                .sum();
        ResourceVector most = ResourceVector.ZERO;
        for (FiCaSchedulerNode node : nodes) {
            ResourceVector capacity = YarnResources.vector(node.getTotalResource());
            most = most.max(capacity);
            room += roomOn(group, node, capacity);
        }
        if (room >= group.min()) {
            return Optional.empty();
        }
        String models = group.gpuModels().isEmpty() ? "" : " with GPUs of " + String.join(" or ", group.gpuModels());
        return Optional.of("task group '" + group.name() + "' needs " + group.min() + " × ("
                + group.resources().describe() + ")" + models + ", the whole cluster has room for " + room
                + "; the most on any node is " + most.describe() + largestDevice(group, nodes)
                + ".\nMaybe ask for less in each task, for fewer tasks, or for other GPU models.");
    }

    /** For a slice: it has to fit on one device, whatever the node's devices have together. */
    private String largestDevice(GangSpec.Group group, Collection<FiCaSchedulerNode> nodes) {
        if (group.resources().gpuMemoryMiB() == 0) {
            return "";
        }
        long largest = nodes.stream()
                .flatMap(node -> telemetry.node(node.getNodeID().toString()).stream())
                .flatMap(record -> record.devices().stream())
                .filter(device ->
                        group.gpuModels().isEmpty() || group.gpuModels().contains(device.model()))
                .mapToLong(NodeRecord.Device::memoryMiB)
                .max()
                .orElse(0);
        return largest == 0 ? "" : ", and the largest such device has " + largest + " MiB";
    }

    private long roomOn(GangSpec.Group group, FiCaSchedulerNode node, ResourceVector capacity) {
        ResourceVector ask = group.resources();
        long room = Math.min(group.min(), capacity.count(ask));
        Optional<NodeRecord> record = telemetry.node(node.getNodeID().toString());
        if (record.isEmpty() || (ask.gpus() == 0 && ask.gpuMemoryMiB() == 0)) {
            return room;
        }
        long onDevices = 0;
        for (NodeRecord.Device device : record.get().devices()) {
            if (group.gpuModels().isEmpty() || group.gpuModels().contains(device.model())) {
                onDevices += ask.gpuMemoryMiB() > 0 ? device.memoryMiB() / ask.gpuMemoryMiB() : 1;
            }
        }
        return Math.min(room, ask.gpuMemoryMiB() > 0 ? onDevices : onDevices / ask.gpus());
    }
}
