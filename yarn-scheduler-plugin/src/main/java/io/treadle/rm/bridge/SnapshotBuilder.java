// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Makes the immutable picture that a queue's policy plans on, out of CapacityScheduler's state. */
public final class SnapshotBuilder {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final ProfilingTime measured;
    private final MeasuredRoom measuredRoom;
    private final MemoryWishes memory;
    private final OthersWaiting othersWaiting;
    /** By job, what the tasks of its containers ask for, as seen in this round. */
    private final Map<Gang, Map<ContainerId, ResourceVector>> asks = new HashMap<>();

    private final SchedulerConf conf;
    private final Overheads overheads;
    private final SharedStorageLimit sharedStorage;
    private final GangReservations reservations;
    private final PowerSight power;
    private final LiveEnergies energies = new LiveEnergies();

    public SnapshotBuilder(
            SchedulerAccess scheduler,
            Telemetry telemetry,
            ProfilingTime measured,
            MemoryWishes memory,
            PowerSight power,
            GangReservations reservations,
            SchedulerConf conf) {
        this.reservations = reservations;
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.measured = measured;
        this.measuredRoom = new MeasuredRoom(scheduler, measured);
        this.memory = memory;
        this.othersWaiting = new OthersWaiting(scheduler);
        this.conf = conf;
        this.power = power;
        this.overheads = new Overheads(conf.crossing(), 0, conf.power().rescaleSeconds());
        this.sharedStorage = new SharedStorageLimit(scheduler, conf.sharedStorageMBps());
    }

    /**
     * The jobs of one queue whose ApplicationMasters have asked for whole gangs, and all that they may use. Gangs whose
     * ApplicationMaster has not are left out.
     *
     * @param partition node label of the nodes that the jobs may use; empty for nodes without one
     * @param gangs the queue's jobs, in order of submission
     * @param others jobs of other queues for the same nodes
     * @param stopsJobs whether the queue's policy makes jobs smaller and stops them, and looks at power and energy
     */
    public Optional<Snapshot> build(
            String queuePath, String partition, List<Gang> gangs, List<Gang> others, boolean stopsJobs, long nowMs) {
        return build(queuePath, partition, gangs, others, stopsJobs, nowMs, Claimant.NONE);
    }

    /**
     * As {@link #build(String, String, List, List, boolean, long)}.
     *
     * @param claimant whose reserved room is visible, and what is taken to have ended for it
     */
    public Optional<Snapshot> build(
            String queuePath,
            String partition,
            List<Gang> gangs,
            List<Gang> others,
            boolean stopsJobs,
            long nowMs,
            Claimant claimant) {
        Optional<CSQueue> queue = scheduler.queue(queuePath);
        if (queue.isEmpty()) {
            return Optional.empty();
        }
        QueueUse before = QueueUse.of(queue.get(), partition, scheduler.clusterResource());
        Map<Gang, LiveTasks> live = new HashMap<>();
        Set<ContainerId> planned = new HashSet<>();
        for (Gang gang : gangs) {
            scheduler.app(gang.id()).ifPresent(app -> {
                LiveTasks tasks = new LiveTasks(app, gang.spec().groups().size());
                live.put(gang, tasks);
                planned.addAll(tasks.containers());
            });
        }
        List<Gang> all = new ArrayList<>(gangs);
        all.addAll(others);
        // One node may have to take all of it: nobody knows where it will go.
        long spareMiB = Math.max(conf.nodeSpareMemoryMiB(), othersWaiting.memoryMiB(partition, all, nowMs));
        Map<ContainerId, ResourceVector> othersAsks = asks(others);
        List<NodeView> nodes = new ArrayList<>();
        Map<String, NodeDevices> devices = new HashMap<>();
        Map<String, ResourceVector> free = new HashMap<>();
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            if (node.getPartition().equals(partition)) {
                Optional<NodeDevices> known = NodeDevices.of(node, telemetry);
                known.ifPresent(d -> devices.put(node.getNodeID().toString(), d));
                nodes.add(node(node, known, planned, othersAsks, spareMiB, stopsJobs, nowMs, claimant));
                free.put(node.getNodeID().toString(), YarnResources.vector(node.getUnallocatedResource()));
            }
        }
        nodes = new ArrayList<>(reservations.hide(nodes, free, claimant.gang()));
        nodes.sort(Comparator.comparing(NodeView::id));
        Optional<PowerView> draw = stopsJobs ? power.of(nodes, planned, queuePath) : Optional.empty();
        ResourceVector largest = YarnResources.vector(queue.get().getMaximumAllocation());
        List<JobView> jobs = new ArrayList<>();
        for (Gang gang : gangs) {
            LiveTasks tasks = live.get(gang);
            if (tasks != null) {
                job(gang, tasks, nodes, devices, stopsJobs, nowMs).ifPresent(jobs::add);
            }
        }
        QueueUse use = before.orFreer(QueueUse.of(queue.get(), partition, scheduler.clusterResource()))
                .without(claimant.freed(), QueueLimits.limit(queue.get(), partition));
        List<JobView> here = onNodes(jobs, nodes);
        QueueView view = queue(queuePath, use, here, users(queue.get(), partition, gangs, nodes, here))
                .withOthersWaiting(others.stream().anyMatch(gang -> gang.state() == Gang.State.WAITING)
                        || (stopsJobs && wantsSpare(jobs) && plainAsksWait(partition, gangs, others)));
        if (stopsJobs) {
            view = view.withLimit(view.limit().minus(MastersWaiting.of(scheduler, queue.get(), partition, gangs)));
        }
        Snapshot snapshot = new Snapshot(
                        nowMs, measuredRoom.keep(nodes, jobs, gangs, others), view, jobs, largest, true)
                .withSharedStorage(sharedStorage.seenFrom(partition))
                .with(overheads);
        return Optional.of(draw.map(snapshot::with).orElse(snapshot));
    }

    /** The jobs with those of their tasks that run on these nodes: YARN charges each task to its node's partition. */
    private static List<JobView> onNodes(List<JobView> jobs, List<NodeView> nodes) {
        Set<String> ids = nodes.stream().map(NodeView::id).collect(Collectors.toSet());
        return jobs.stream()
                .map(job -> job.withTasks(job.tasks().stream()
                        .filter(task -> ids.contains(task.nodeId()))
                        .toList()))
                .toList();
    }

    /** Whether parameter servers could use what nobody else waits for. */
    private static boolean wantsSpare(List<JobView> jobs) {
        return jobs.stream().anyMatch(job -> job.sizing().servers().isPresent());
    }

    private boolean plainAsksWait(String partition, List<Gang> gangs, List<Gang> others) {
        return PlainAsks.wait(
                scheduler,
                partition,
                Stream.concat(gangs.stream(), others.stream()).toList());
    }

    /** A round over all queues begins: what jobs hold beside the queue that is planned is looked up once in it. */
    public void roundBegins() {
        asks.clear();
        energies.roundBegins();
        power.roundBegins();
    }

    /** Forgets what was kept of jobs that have ended. */
    public void keep(List<Gang> jobs) {
        othersWaiting.keep(jobs.stream().map(Gang::partition).collect(Collectors.toSet()));
    }

    /** By container of a task of these jobs, what the task asks for. */
    private Map<ContainerId, ResourceVector> asks(List<Gang> gangs) {
        Map<ContainerId, ResourceVector> all = new HashMap<>();
        gangs.forEach(gang -> all.putAll(asks.computeIfAbsent(gang, this::asks)));
        return all;
    }

    private Map<ContainerId, ResourceVector> asks(Gang gang) {
        Map<ContainerId, ResourceVector> byContainer = new HashMap<>();
        scheduler.app(gang.id()).ifPresent(app -> {
            for (LiveTasks.Task task : new LiveTasks(app, gang.spec().groups().size()).tasks()) {
                byContainer.put(
                        task.container().getContainerId(),
                        gang.spec().groups().get(task.group()).resources());
            }
        });
        return byContainer;
    }

    private NodeView node(
            FiCaSchedulerNode node,
            Optional<NodeDevices> known,
            Set<ContainerId> planned,
            Map<ContainerId, ResourceVector> othersAsks,
            long spareMiB,
            boolean stopsJobs,
            long nowMs,
            Claimant claimant) {
        List<RMContainer> all = node.getCopiedListOfRunningContainers();
        Set<ContainerId> notTaken = new HashSet<>(planned);
        notTaken.addAll(claimant.ended());
        boolean isSilent = scheduler.silentMs(node) > 0;
        if (stopsJobs && !isSilent) {
            notTaken.addAll(GivenBack.of(all, nowMs));
        }
        List<RMContainer> others = all.stream()
                .filter(container -> !notTaken.contains(container.getContainerId()))
                .toList();
        ResourceVector othersUse = use(others);
        // What is kept free is for those that are no tasks of ours, of whatever queue.
        ResourceVector foreign = use(others.stream()
                .filter(container -> !othersAsks.containsKey(container.getContainerId()))
                .toList());
        List<DeviceView> views = known.map(d -> d.views(notTaken)).orElse(List.of());
        // A reservation of another application keeps its meaning: nothing of ours starts there meanwhile.
        boolean isReserved = node.getReservedContainer() != null && !claimant.foresees();
        boolean open = node.getRMNode().getState() == NodeState.RUNNING
                && !isReserved
                && !isSilent
                && scheduler.names().mayResolve(node.getNodeID());
        long spare = Math.max(conf.nodeSpareVcores(), conf.nodeReserveVcores() - foreign.vcores());
        NodeView view = new NodeView(
                node.getNodeID().toString(),
                node.getRackName(),
                NodeCapacity.of(node),
                othersUse,
                ResourceVector.of(0, spare, spareMiB),
                views,
                open);
        ResourceVector shares = others.stream()
                .map(container -> view.asShare(
                        othersAsks.getOrDefault(container.getContainerId(), ResourceVector.ZERO),
                        YarnResources.vector(container.getAllocatedResource())))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        return view.withOthersTasks(shares);
    }

    private static ResourceVector use(List<RMContainer> containers) {
        return containers.stream()
                .map(container -> YarnResources.vector(container.getAllocatedResource()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private static List<UserView> users(
            CSQueue queue, String partition, List<Gang> gangs, List<NodeView> nodes, List<JobView> jobs) {
        if (!(queue instanceof AbstractLeafQueue leaf)) {
            return List.of();
        }
        Map<String, String> userOf = new HashMap<>();
        gangs.forEach(g -> userOf.put(g.id().toString(), g.user()));
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new UserLimits(leaf, partition, all).views(jobs, userOf);
    }

    private static QueueView queue(String path, QueueUse use, List<JobView> jobs, List<UserView> users) {
        ResourceVector ours = jobs.stream()
                .flatMap(j -> j.tasks().stream())
                .map(RunningTask::size)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new QueueView(path, use.limit(), use.used().minus(ours).max(ResourceVector.ZERO), users, false);
    }

    private Optional<JobView> job(
            Gang gang,
            LiveTasks live,
            List<NodeView> nodes,
            Map<String, NodeDevices> devices,
            boolean energetic,
            long nowMs) {
        List<TaskGroup> groups = new ArrayList<>();
        for (int i = 0; i < gang.spec().groups().size(); i++) {
            GangSpec.Group group = gang.spec().groups().get(i);
            long running = live.running(i);
            int pending = live.pending(i);
            if (live.tasks().isEmpty() && pending < group.min()) {
                return Optional.empty();
            }
            // Tasks that have done their work and ended are not asked for again: what is left of such a job ends by
            // itself.
            boolean ends = running > 0 && pending == 0 && running < group.max();
            int min = (int) (ends ? running : Math.min(group.min(), running + pending));
            int max = (int) Math.min(group.max(), running + pending);
            groups.add(new TaskGroup(
                    group.name(), min, max, needed(group, i, live, nowMs), Set.copyOf(group.gpuModels())));
        }
        List<RunningTask> tasks = new ArrayList<>();
        for (LiveTasks.Task task : live.tasks()) {
            String node = task.container().getAllocatedNode().toString();
            NodeDevices known = devices.get(node);
            tasks.add(new RunningTask(
                    task.container().getContainerId().toString(),
                    groups.get(task.group()).name(),
                    node,
                    task.size(),
                    known == null ? List.of() : known.heldBy(task.container().getContainerId())));
        }
        Optional<ProfileRecord> record =
                profile(gang.id().toString(), live.tasks().isEmpty());
        long fastest = nodes.stream()
                .mapToLong(node -> node.capacity().storageMBps())
                .max()
                .orElse(0);
        Optional<SensitivityMatrix> matrix = record.map(
                        known -> StorageOfNodes.measured(known, StorageOfNodes.slowest(tasks, nodes)))
                .flatMap(known -> ProfiledMatrix.of(known, fastest));
        boolean says = record.isPresent() && record.get().phase() == ProfileRecord.Phase.PROFILING;
        boolean profiling =
                says && measured.isMeasured(gang.id().toString(), !live.tasks().isEmpty());
        Optional<LiveEnergy> energy = says || !energetic
                ? Optional.empty()
                : record.flatMap(known -> energies.of(
                        gang.id().toString(), known, groups, power.gpus(nodes, models(groups, tasks, nodes))));
        FiCaSchedulerApp app = scheduler.app(gang.id()).orElse(null);
        int priority = app == null ? 0 : app.getPriority().getPriority();
        return Optional.of(new JobView(
                gang.id().toString(),
                gang.submitMs(),
                groups,
                tasks,
                says ? Optional.empty() : matrix,
                profiling,
                progress(gang, matrix, energy, nodes, app),
                app == null ? Set.of() : avoided(app, nodes),
                OptionalDouble.empty(),
                priority,
                energy.map(LiveEnergy::profile),
                LiveSizing.of(gang.spec(), record, priority)));
    }

    /** Models of the GPUs that a job has, or else may have; empty for any. */
    private static Set<String> models(List<TaskGroup> groups, List<RunningTask> tasks, List<NodeView> nodes) {
        Set<String> held = tasks.stream()
                .flatMap(task -> task.devices().stream())
                .map(DeviceShare::uuid)
                .collect(Collectors.toSet());
        Set<String> models = nodes.stream()
                .flatMap(node -> node.devices().stream())
                .filter(device -> held.contains(device.uuid()))
                .map(DeviceView::model)
                .collect(Collectors.toSet());
        return models.isEmpty()
                ? groups.stream().flatMap(group -> group.gpuModels().stream()).collect(Collectors.toSet())
                : models;
    }

    /** What the job's own ApplicationMaster says; before it has measured anything, what an earlier job of its kind did. */
    private Optional<ProfileRecord> profile(String id, boolean waits) {
        Optional<ProfileRecord> own = telemetry.profile(id);
        boolean measured = own.isPresent() && !(waits && own.get().phase() == ProfileRecord.Phase.PROFILING);
        return measured ? own : telemetry.known(id).or(() -> own);
    }

    /** What a task asks for, and the memory that it has got and does not give up. */
    private ResourceVector needed(GangSpec.Group group, int index, LiveTasks live, long nowMs) {
        long kept = live.tasks().stream()
                .filter(task -> task.group() == index
                        && memory.isRefused(task.container().getContainerId(), nowMs))
                .mapToLong(task -> task.size().memoryMiB())
                .max()
                .orElse(0);
        ResourceVector ask = group.resources();
        return ask.withMemoryMiB(Math.max(ask.memoryMiB(), kept));
    }

    private Progress progress(
            Gang gang,
            Optional<SensitivityMatrix> matrix,
            Optional<LiveEnergy> energy,
            List<NodeView> nodes,
            @org.jspecify.annotations.Nullable FiCaSchedulerApp app) {
        Optional<JobProgressRecord> record = telemetry.progress(gang.id().toString());
        long gpusOfTask = gang.spec().groups().get(0).resources().gpus();
        double speed = record.map(JobProgressRecord::samplesPerSecond).orElse(0.0);
        if (matrix.isPresent()) {
            ResourceVector share = nodes.stream()
                    .filter(n -> n.capacity().gpus() > 0)
                    .map(n -> n.share(Math.max(1, gpusOfTask)))
                    .max(Comparator.comparingLong(ResourceVector::vcores))
                    .orElse(ResourceVector.ZERO);
            speed = matrix.get().at(Math.max(1, share.vcores()), share.memoryMiB());
        }
        double gpuSeconds = app == null
                ? 0
                : (double) app.getResourceUsageReport().getResourceSecondsMap().getOrDefault(YarnResources.GPU, 0L);
        return Progress.said(
                record.map(JobProgressRecord::samples).orElse(0L),
                gang.spec().totalSamples(),
                energy.map(LiveEnergy::secondsPerSample).orElse(speed > 0 ? 1 / speed : 0),
                gpuSeconds);
    }

    private static Set<String> avoided(FiCaSchedulerApp app, List<NodeView> nodes) {
        Set<String> hosts = app.getBlacklistedNodes();
        Set<String> avoided = new HashSet<>();
        for (NodeView node : nodes) {
            String host = node.id().substring(0, node.id().lastIndexOf(':'));
            if (hosts.contains(host) || hosts.contains(node.rack())) {
                avoided.add(node.id());
            }
        }
        return avoided;
    }
}
