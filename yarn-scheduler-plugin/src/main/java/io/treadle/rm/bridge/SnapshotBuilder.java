// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Makes the immutable picture that a queue's policy plans on, out of CapacityScheduler's state. */
public final class SnapshotBuilder {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final ProfilingTime measured;
    private final MeasuredRoom measuredRoom;
    private final MemoryWishes memory;
    private final OthersWaiting othersWaiting;
    private final PlainAsks plainAsks;
    /** What all queues of a round share. */
    private final RoundTasks tasksOf;

    private final RoundNodes roundNodes;

    private final SchedulerConf conf;
    private final Overheads overheads;
    private final SharedStorageLimit sharedStorage;
    private final GangReservations reservations;
    private final PowerSight power;
    private final LiveEnergies energies = new LiveEnergies();
    private final AttainedService attained = new AttainedService();

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
        this.tasksOf = new RoundTasks(scheduler);
        this.roundNodes = new RoundNodes(scheduler, telemetry, tasksOf, conf);
        this.measuredRoom = new MeasuredRoom(tasksOf, measured);
        this.memory = memory;
        this.othersWaiting = new OthersWaiting(scheduler, tasksOf, measured, reservations);
        this.plainAsks = new PlainAsks(scheduler, tasksOf, measured, reservations);
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
        tasksOf.queueBegins(gangs);
        Map<Gang, LiveTasks> live = live(gangs);
        others.forEach(tasksOf::of);
        List<Gang> all = new ArrayList<>(gangs);
        all.addAll(others);
        // One node may have to take all of it: nobody knows where it will go.
        ResourceVector kept = ResourceVector.of(0, conf.nodeSpareVcores(), conf.nodeSpareMemoryMiB())
                .max(othersWaiting.waiting(partition, all, nowMs));
        List<NodeView> seen = roundNodes.views(Set.of(partition), live.values(), kept, stopsJobs, nowMs, claimant);
        SnapshotNodes nodes =
                new SnapshotNodes(reservations.hide(seen, roundNodes.free(reservations), claimant.gang()), roundNodes);
        Optional<PowerView> draw =
                stopsJobs ? power.of(partition, roundNodes.readings(), planned(live), queuePath) : Optional.empty();
        ResourceVector largest = YarnResources.vector(queue.get().getMaximumAllocation());
        List<JobView> jobs = jobs(queue.get(), gangs, live, nodes, stopsJobs, nowMs);
        QueueUse now = before.orFreer(QueueUse.of(queue.get(), partition, scheduler.clusterResource()));
        QueueUse use = claimant.headroom()
                .map(room -> new QueueUse(now.used(), now.used().plus(room)))
                .orElse(now);
        List<JobView> here = onNodes(jobs, nodes.all());
        QueueView view = queue(
                        queuePath, use, here, users(queue.get(), partition, gangs, nodes.capacity(), here, claimant))
                .withOthersWaiting(others.stream().anyMatch(gang -> gang.state() == Gang.State.WAITING)
                        || (stopsJobs && wantsSpare(jobs) && plainAsks.wait(partition, all)));
        if (stopsJobs) {
            view = view.withLimit(view.limit().minus(MastersWaiting.of(scheduler, queue.get(), partition, gangs)));
        }
        Snapshot snapshot = new Snapshot(
                        nowMs, measuredRoom.keep(nodes.all(), jobs, gangs, others), view, jobs, largest, true)
                .withSharedStorage(sharedStorage.seenFrom(Set.of(partition)))
                .with(overheads);
        return Optional.of(draw.map(snapshot::with).orElse(snapshot));
    }

    /**
     * Gangs of one user without a label that wait, and all that they may use: nodes without a label, and what is idle on nodes
     * of partitions that are not exclusive. Each task gets what it asks for and no more. A task there is planned by nobody once
     * it runs, and so would never give back the rest.
     *
     * @param lending the partitions that are not exclusive
     * @param others all other jobs
     * @param stopsJobs whether the queue's policy looks at power and energy
     */
    public Optional<Snapshot> buildLent(
            String queuePath, Set<String> lending, List<Gang> gangs, List<Gang> others, boolean stopsJobs, long nowMs) {
        CSQueue queue = scheduler.queue(queuePath).orElse(null);
        if (!(queue instanceof AbstractLeafQueue leaf) || gangs.isEmpty()) {
            return Optional.empty();
        }
        tasksOf.queueBegins(gangs);
        Map<Gang, LiveTasks> live = live(gangs);
        others.forEach(tasksOf::of);
        Set<String> partitions = new TreeSet<>(lending);
        partitions.add("");
        List<NodeView> seen =
                roundNodes.views(partitions, live.values(), ResourceVector.ZERO, false, nowMs, Claimant.NONE);
        Map<String, ResourceVector> free = roundNodes.free();
        LentRoom room = new LentRoom(scheduler, leaf, gangs.get(0).user());
        SnapshotNodes nodes = new SnapshotNodes(room.hide(reservations.hide(seen, free, null), free), roundNodes);
        Optional<PowerView> draw = stopsJobs
                ? power.of(String.join(",", partitions), roundNodes.readings(), planned(live), queuePath)
                : Optional.empty();
        List<JobView> jobs = jobs(leaf, gangs, live, nodes, stopsJobs, nowMs);
        Snapshot snapshot = new Snapshot(
                        nowMs,
                        measuredRoom.keep(nodes.all(), jobs, gangs, others),
                        new QueueView(queuePath, nodes.capacity(), ResourceVector.ZERO),
                        jobs,
                        ResourceVector.ZERO,
                        true)
                .withSharedStorage(sharedStorage.seenFrom(partitions))
                .with(overheads);
        return Optional.of(draw.map(snapshot::with).orElse(snapshot));
    }

    private Map<Gang, LiveTasks> live(List<Gang> gangs) {
        Map<Gang, LiveTasks> live = new HashMap<>();
        gangs.forEach(gang -> tasksOf.of(gang).ifPresent(tasks -> live.put(gang, tasks)));
        return live;
    }

    private List<JobView> jobs(
            CSQueue queue,
            List<Gang> gangs,
            Map<Gang, LiveTasks> live,
            SnapshotNodes nodes,
            boolean stopsJobs,
            long nowMs) {
        List<JobView> jobs = new ArrayList<>();
        if (live.isEmpty()) {
            return jobs;
        }
        OptionalDouble mostWeight = scheduler.mostWeight(queue);
        for (Gang gang : gangs) {
            LiveTasks tasks = live.get(gang);
            if (tasks != null) {
                job(gang, tasks, nodes, stopsJobs, nowMs, mostWeight).ifPresent(jobs::add);
            }
        }
        return jobs;
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

    private static Set<ContainerId> planned(Map<Gang, LiveTasks> live) {
        Set<ContainerId> planned = new HashSet<>();
        live.values().forEach(tasks -> planned.addAll(tasks.containers()));
        return planned;
    }

    /** There are no jobs: what was read of the cluster is not kept for them. */
    public void forget() {
        roundBegins();
        roundNodes.forget();
    }

    /** A round over all queues begins: what they share is looked up again in it. */
    public void roundBegins() {
        tasksOf.roundBegins();
        roundNodes.roundBegins();
        othersWaiting.roundBegins();
        plainAsks.roundBegins();
        energies.roundBegins();
        power.roundBegins();
    }

    /** Forgets what was kept of jobs that have ended. */
    public void keep(List<Gang> jobs) {
        attained.keep(jobs);
        othersWaiting.keep(jobs.stream().map(Gang::partition).collect(Collectors.toSet()));
    }

    private List<UserView> users(
            CSQueue queue,
            String partition,
            List<Gang> gangs,
            ResourceVector all,
            List<JobView> jobs,
            Claimant claimant) {
        if (!(queue instanceof AbstractLeafQueue leaf)) {
            return List.of();
        }
        Map<String, String> userOf = new HashMap<>();
        gangs.forEach(g -> userOf.put(g.id().toString(), g.user()));
        List<UserView> users = new UserLimits(leaf, partition, all).views(jobs, userOf);
        return claimant.foresees()
                ? Optional.ofNullable(claimant.gang())
                        .flatMap(scheduler::app)
                        .map(gang -> withoutLater(users, gang, new Guarantees(partition, all)))
                        .orElse(users)
                : users;
    }

    /** What the gang's user holds with applications that come after the gang is taken to end. */
    private static List<UserView> withoutLater(List<UserView> users, FiCaSchedulerApp gang, Guarantees guarantees) {
        ResourceVector later = guarantees.heldByLaterPlainOfItsUser(gang, QueueOrder.servedBefore(gang));
        return users.stream()
                .map(user -> user.name().equals(gang.getUser())
                        ? new UserView(
                                user.name(),
                                user.limit(),
                                user.othersUse().minus(later).max(ResourceVector.ZERO),
                                user.jobIds())
                        : user)
                .toList();
    }

    private static QueueView queue(String path, QueueUse use, List<JobView> jobs, List<UserView> users) {
        ResourceVector ours = jobs.stream()
                .flatMap(j -> j.tasks().stream())
                .map(RunningTask::size)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new QueueView(path, use.limit(), use.used().minus(ours).max(ResourceVector.ZERO), users, false);
    }

    private Optional<JobView> job(
            Gang gang, LiveTasks live, SnapshotNodes nodes, boolean energetic, long nowMs, OptionalDouble mostWeight) {
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
            ResourceVector needed = needed(group, i, live, nowMs);
            // Policies go through the sizes that a job may have: a job may ask for any number of tasks.
            long most = Math.max(Math.max(min, running), nodes.capacity().count(needed));
            int max = (int) Math.min(Math.min(group.max(), running + pending), most);
            groups.add(new TaskGroup(group.name(), min, max, needed, Set.copyOf(group.gpuModels())));
        }
        List<RunningTask> tasks = new ArrayList<>();
        for (LiveTasks.Task task : live.tasks()) {
            String node = task.container().getAllocatedNode().toString();
            Optional<NodeDevices> known = nodes.devices(node);
            tasks.add(new RunningTask(
                    task.container().getContainerId().toString(),
                    groups.get(task.group()).name(),
                    node,
                    task.size(),
                    known.map(devices -> devices.heldBy(task.container().getContainerId()))
                            .orElse(List.of())));
        }
        Optional<ProfileRecord> record =
                profile(gang.id().toString(), live.tasks().isEmpty());
        Optional<SensitivityMatrix> matrix = record.map(
                        known -> StorageOfNodes.measured(known, nodes.slowestStorageMBps(tasks)))
                .flatMap(known -> ProfiledMatrix.of(known, nodes.fastestStorageMBps()));
        boolean says = record.isPresent() && record.get().phase() == ProfileRecord.Phase.PROFILING;
        // Without an ApplicationMaster nobody measures.
        boolean profiling = says
                && measured.isMeasured(gang.id().toString(), !live.tasks().isEmpty())
                && (live.tasks().isEmpty()
                        || scheduler
                                .app(gang.id())
                                .filter(FiCaSchedulerApp::isWaitingForAMContainer)
                                .isEmpty());
        Optional<LiveEnergy> energy = says || !energetic
                ? Optional.empty()
                : record.flatMap(known -> energies.of(
                        gang.id().toString(), known, groups, nodes.gpus(power, models(groups, tasks, nodes))));
        FiCaSchedulerApp app = scheduler.app(gang.id()).orElse(null);
        int priority = app == null ? 0 : app.getPriority().getPriority();
        return Optional.of(new JobView(
                gang.id().toString(),
                gang.submitMs(),
                groups,
                tasks,
                says ? Optional.empty() : matrix,
                profiling,
                progress(
                        gang,
                        matrix,
                        energy,
                        nodes,
                        attained.gpuSeconds(gang, app, !live.tasks().isEmpty(), nowMs)),
                app == null ? Set.of() : nodes.on(app.getBlacklistedNodes()),
                OptionalDouble.empty(),
                priority,
                energy.map(LiveEnergy::profile),
                LiveSizing.of(gang.spec(), record, priority, mostWeight)));
    }

    /** Models of the GPUs that a job has, or else may have; empty for any. */
    private static Set<String> models(List<TaskGroup> groups, List<RunningTask> tasks, SnapshotNodes nodes) {
        Set<String> models = nodes.models(tasks);
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
            SnapshotNodes nodes,
            double gpuSeconds) {
        Optional<JobProgressRecord> record = telemetry.progress(gang.id().toString());
        long gpusOfTask = gang.spec().groups().get(0).resources().gpus();
        double speed = record.map(JobProgressRecord::samplesPerSecond).orElse(0.0);
        if (matrix.isPresent()) {
            ResourceVector share = nodes.largestShare(Math.max(1, gpusOfTask));
            speed = matrix.get().at(Math.max(1, share.vcores()), share.memoryMiB());
        }
        return Progress.said(
                record.map(JobProgressRecord::samples).orElse(0L),
                gang.spec().totalSamples(),
                energy.map(LiveEnergy::secondsPerSample).orElse(speed > 0 ? 1 / speed : 0),
                gpuSeconds);
    }
}
