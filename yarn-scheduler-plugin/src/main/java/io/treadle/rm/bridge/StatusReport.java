// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** What the page and the REST resource show, read from the scheduler's state at the moment. */
public final class StatusReport {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final GangReservations reservations;

    public StatusReport(SchedulerAccess scheduler, Telemetry telemetry, GangReservations reservations) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.reservations = reservations;
    }

    /**
     * A task container of a job.
     *
     * @param node {@code host:port} of the NodeManager
     * @param nodeHttpAddress {@code host:port} of the NodeManager's web pages
     * @param devices UUIDs of the GPUs that it holds, as far as they are known
     * @param logs address of its logs
     */
    public record Task(
            String containerId,
            String group,
            String node,
            String nodeHttpAddress,
            ResourceVector size,
            List<String> devices,
            String logs) {}

    /**
     * A job.
     *
     * @param members tasks that make its gang
     */
    public record Job(
            Gang gang,
            int members,
            List<Task> tasks,
            Optional<JobProgressRecord> progress,
            Optional<ProfileRecord> profile) {

        /** {@code waiting}, {@code starting}, {@code profiling} or {@code running}. */
        public String state() {
            boolean profiling =
                    profile.map(p -> p.phase() == ProfileRecord.Phase.PROFILING).orElse(false);
            return switch (gang.state()) {
                case ACCEPTED -> "starting";
                case WAITING -> tasks.isEmpty() ? "waiting" : "running";
                case RUNNING -> tasks.isEmpty() ? "starting" : profiling ? "profiling" : "running";
            };
        }
    }

    /**
     * A node: what it has, what is used, and its devices where they are known.
     *
     * @param node {@code host:port} of the NodeManager
     * @param httpAddress {@code host:port} of its web pages
     * @param kept of what becomes free there, what goes to nobody but gangs that wait
     * @param silentMs see {@link Heartbeats#silentMs}
     */
    public record Node(
            String node,
            String httpAddress,
            String rack,
            ResourceVector capacity,
            ResourceVector used,
            ResourceVector kept,
            List<NodeRecord.Device> devices,
            long silentMs) {}

    /**
     * @param name full path
     * @param guarantee what is its own whatever others ask for
     * @param limit the most that it may hold
     */
    public record Queue(
            String name,
            ResourceVector used,
            ResourceVector guarantee,
            ResourceVector limit,
            int waiting,
            int running) {}

    public Job job(Gang gang) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        List<Task> tasks = new ArrayList<>();
        app.ifPresent(a -> {
            for (LiveTasks.Task task : new LiveTasks(a, gang.spec().groups().size()).tasks()) {
                RMContainer container = task.container();
                tasks.add(new Task(
                        container.getContainerId().toString(),
                        gang.spec().groups().get(task.group()).name(),
                        container.getAllocatedNode().toString(),
                        container.getNodeHttpAddress(),
                        task.size(),
                        NodeDevices.tags(container).stream()
                                .map(DeviceTag::uuid)
                                .toList(),
                        container.getLogURL()));
            }
        });
        tasks.sort(Comparator.comparing(Task::containerId));
        String id = gang.id().toString();
        int members =
                gang.spec().groups().stream().mapToInt(GangSpec.Group::min).sum();
        return new Job(gang, members, tasks, telemetry.progress(id), telemetry.profile(id));
    }

    public List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        Heartbeats heartbeats = scheduler.heartbeats();
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            String id = node.getNodeID().toString();
            nodes.add(new Node(
                    id,
                    node.getHttpAddress(),
                    node.getRackName(),
                    YarnResources.vector(node.getTotalResource()),
                    YarnResources.vector(node.getAllocatedResource()),
                    reservations.on(node.getNodeID()),
                    telemetry.node(id).map(NodeRecord::devices).orElse(List.of()),
                    heartbeats.silentMs(node)));
        }
        nodes.sort(Comparator.comparing(Node::node));
        return nodes;
    }

    /**
     * All leaf queues, by their paths.
     *
     * @param gangs all jobs of the cluster
     */
    public List<Queue> queues(List<Gang> gangs) {
        Map<String, Long> all = gangs.stream().collect(Collectors.groupingBy(Gang::queue, Collectors.counting()));
        Map<String, Long> running = gangs.stream()
                .filter(gang -> gang.state() == Gang.State.RUNNING)
                .collect(Collectors.groupingBy(Gang::queue, Collectors.counting()));
        List<Queue> queues = new ArrayList<>();
        for (String path : scheduler.leafQueues()) {
            int runs = running.getOrDefault(path, 0L).intValue();
            int waits = all.getOrDefault(path, 0L).intValue() - runs;
            scheduler.queue(path).ifPresent(queue -> queues.add(queue(path, queue, Math.max(0, waits), runs)));
        }
        return queues;
    }

    private static Queue queue(String path, CSQueue queue, int waiting, int running) {
        return new Queue(
                path,
                QueueLimits.used(queue, ""),
                QueueLimits.guarantee(queue, ""),
                QueueLimits.limit(queue, ""),
                waiting,
                running);
    }

    /** Paths of all leaf queues. */
    public List<String> leafQueues() {
        return scheduler.leafQueues();
    }
}
