// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.conf.QueueSettings;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;

/** What the bridge may do with a running CapacityScheduler. */
public final class CapacityAccess implements SchedulerAccess {
    /** What only the scheduler itself can reach. */
    public interface Hooks {
        ReentrantReadWriteLock.WriteLock writeLock();

        /** The write lock was held so long, ns, for what is ours. */
        void held(long nanos);

        /** CapacityScheduler's own commit, past the guard. */
        boolean commit(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request);

        void update(FiCaSchedulerApp app, ContainerUpdates updates);

        /** See {@link SchedulerAccess#sharedStorageFreeMBps}. */
        long sharedStorageFreeMBps();
    }

    /**
     * YARN's own containers go to no node that has missed two heartbeats. What is planned for a whole gang is not to change
     * with every pause of a NodeManager.
     */
    private static final long LEAST_SILENCE_MS = 10_000;

    private final CapacityScheduler scheduler;
    private final Hooks hooks;
    private final Set<NodeId> leaving = ConcurrentHashMap.newKeySet();
    private final FormingRoom formingRoom = new FormingRoom();
    private final NodeNames names = new NodeNames();

    public CapacityAccess(CapacityScheduler scheduler, Hooks hooks) {
        this.scheduler = scheduler;
        this.hooks = hooks;
    }

    @Override
    public Optional<FiCaSchedulerApp> app(ApplicationId id) {
        SchedulerApplication<FiCaSchedulerApp> application =
                scheduler.getSchedulerApplications().get(id);
        FiCaSchedulerApp attempt = application == null ? null : application.getCurrentAppAttempt();
        return attempt == null || attempt.isStopped() ? Optional.empty() : Optional.of(attempt);
    }

    @Override
    public boolean isMasterRegistered(ApplicationId id) {
        RMApp application = scheduler.getRMContext().getRMApps().get(id);
        RMAppAttempt attempt = application == null ? null : application.getCurrentAppAttempt();
        return attempt != null && attempt.getState() == RMAppAttemptState.RUNNING;
    }

    @Override
    public Collection<FiCaSchedulerNode> nodes() {
        return scheduler.getNodeTracker().getAllNodes();
    }

    @Override
    public Optional<FiCaSchedulerNode> node(NodeId id) {
        return Optional.ofNullable(scheduler.getNode(id));
    }

    @Override
    public Optional<NodeId> nodeOf(ContainerId id) {
        return Optional.ofNullable(scheduler.getRMContainer(id)).map(RMContainer::getAllocatedNode);
    }

    @Override
    public Heartbeats heartbeats() {
        long mostMs = Math.max(LEAST_SILENCE_MS, YarnConfiguration.getSkipNodeInterval(scheduler.getConf()));
        return Heartbeats.of(nodes(), Time.monotonicNow(), mostMs);
    }

    @Override
    public OptionalDouble mostWeight(CSQueue queue) {
        try {
            return QueueSettings.mostWeight(queue.getQueuePath(), QueueLookUp.of(scheduler, queue));
        } catch (IllegalArgumentException e) {
            // A refresh that has yet to be refused.
            return OptionalDouble.empty();
        }
    }

    /** Runs CapacityScheduler's own removal of the node. */
    public void whileLeaving(NodeId id, Runnable removal) {
        leaving.add(id);
        try {
            removal.run();
        } finally {
            leaving.remove(id);
        }
    }

    @Override
    public boolean isLeaving(NodeId id) {
        return leaving.contains(id);
    }

    @Override
    public FormingRoom formingRoom() {
        return formingRoom;
    }

    @Override
    public NodeNames names() {
        return names;
    }

    @Override
    public Optional<CSQueue> queue(String path) {
        return Optional.ofNullable(scheduler.getQueue(path));
    }

    @Override
    public List<String> leafQueues() {
        return LeafQueues.of(scheduler).stream()
                .map(CSQueue::getQueuePath)
                .sorted()
                .toList();
    }

    @Override
    public Resource clusterResource() {
        return scheduler.getClusterResource();
    }

    @Override
    public Resource partitionResource(String partition) {
        return scheduler
                .getRMContext()
                .getNodeLabelManager()
                .getResourceByLabel(partition, scheduler.getClusterResource());
    }

    @Override
    public Set<String> lendingPartitions() {
        return scheduler.getRMContext().getNodeLabelManager().getClusterNodeLabels().stream()
                .filter(label -> !label.isExclusive())
                .map(NodeLabel::getName)
                .collect(Collectors.toSet());
    }

    @Override
    public Resource smallestContainer() {
        return scheduler.getMinimumResourceCapability();
    }

    @Override
    public Resource normalized(Resource size, Resource most) {
        return scheduler.getNormalizedResource(size, most);
    }

    @Override
    public boolean locked(BooleanSupplier action) {
        ReentrantReadWriteLock.WriteLock lock = hooks.writeLock();
        return lock.isHeldByCurrentThread() ? action.getAsBoolean() : PlannerThread.hold(() -> locked(lock, action));
    }

    private boolean locked(ReentrantReadWriteLock.WriteLock lock, BooleanSupplier action) {
        lock.lock();
        long begin = System.nanoTime();
        try {
            return action.getAsBoolean();
        } finally {
            long nanos = System.nanoTime() - begin;
            lock.unlock();
            hooks.held(nanos);
        }
    }

    @Override
    public boolean commitPlanned(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        return hooks.commit(request);
    }

    @Override
    public void takeBack(RMContainer container, String why) {
        change(() -> scheduler.completedContainer(
                container,
                SchedulerUtils.createAbnormalContainerStatus(container.getContainerId(), why),
                RMContainerEventType.RELEASED));
    }

    @Override
    public void preempt(RMContainer container, String why) {
        change(() -> scheduler.completedContainer(
                container,
                SchedulerUtils.createPreemptedContainerStatus(container.getContainerId(), why),
                RMContainerEventType.KILL));
    }

    @Override
    public PreemptionSettings preemption() {
        return PreemptionSettings.of(scheduler);
    }

    @Override
    public void askForPreemption(RMContainer container) {
        change(() -> scheduler.markContainerForPreemption(container.getApplicationAttemptId(), container));
    }

    @Override
    public void endByPreemption(RMContainer container) {
        change(() -> {
            scheduler.markContainerForKillable(container);
            if (isKillable(container)) {
                // Lazy preemption only marks it until another is committed in its place: in room that is kept none is.
                preempt(container, SchedulerUtils.PREEMPTED_CONTAINER);
                // Else CapacityScheduler would propose to end it again for as long as its node does not say that it is
                // gone.
                scheduler.handle(new ContainerPreemptEvent(
                        container.getApplicationAttemptId(),
                        container,
                        SchedulerEventType.MARK_CONTAINER_FOR_NONKILLABLE));
            }
        });
    }

    private boolean isKillable(RMContainer container) {
        return node(container.getAllocatedNode())
                .filter(node -> node.getKillableContainers().containsKey(container.getContainerId()))
                .isPresent();
    }

    private void change(Runnable books) {
        locked(() -> {
            books.run();
            return true;
        });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Another reservation is another object.
    public void unreserve(RMContainer reserved) {
        change(() -> {
            // Hadoop goes by node and ask: it would drop one that was made there since.
            if (node(reserved.getReservedNode())
                    .filter(node -> node.getReservedContainer() == reserved)
                    .isPresent()) {
                scheduler.killReservedContainer(reserved);
            }
        });
    }

    @Override
    public long sharedStorageFreeMBps() {
        return hooks.sharedStorageFreeMBps();
    }

    @Override
    public void update(FiCaSchedulerApp app, ContainerUpdates updates) {
        change(() -> hooks.update(app, updates));
    }
}
