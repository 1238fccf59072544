// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.policy.Policy;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.PlannedPlacement;
import io.treadle.rm.bridge.ProposalGuard;
import io.treadle.rm.bridge.QueueLookUp;
import io.treadle.rm.bridge.ReservedTags;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.bridge.SubmissionCheck;
import io.treadle.rm.bridge.UpdateAccounts;
import io.treadle.rm.bridge.UpdatesInFlight;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.metrics.TreadleMetrics;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.profile.ZkTelemetry;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CapacityScheduler that grants gangs whole and sizes running containers by what their jobs can use. With no job of ours
 * in the cluster every path is CapacityScheduler's own. This class holds only the hooks; the work is done behind it.
 */
public final class TreadleScheduler extends CapacityScheduler implements GangHost {
    private static final Logger LOG = LoggerFactory.getLogger(TreadleScheduler.class);
    /** Room for versions that a NodeManager may hold and never reports: see {@link #recoverContainersOnNode}. */
    private static final int VERSIONS_PER_EPOCH = 100_000;

    private final GangTable gangs = new GangTable();
    private final Access access = new Access();
    private final UpdateAccounts accounts = new UpdateAccounts();
    private volatile @Nullable Parts parts;

    /** What exists from initialisation on. */
    private record Parts(
            SchedulerConf conf,
            Telemetry telemetry,
            Optional<ZkTelemetry> zooKeeper,
            ProposalGuard guard,
            SubmissionCheck submissions,
            RoundDriver driver,
            TreadleMetrics metrics) {}

    @Override
    public void serviceInit(Configuration configuration) throws Exception {
        SchedulerConf conf = SchedulerConf.from(configuration);
        // AppSchedulingInfo reads the allocator's class from the context's configuration, not from ours.
        rmContext
                .getYarnConfiguration()
                .set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, PlannedPlacement.class.getName());
        parts = newParts(conf);
        super.serviceInit(configuration);
    }

    private Parts newParts(SchedulerConf conf) {
        Optional<ZkTelemetry> zooKeeper = Optional.empty();
        if (conf.zkAddress().isEmpty()) {
            LOG.warn(
                    "{} is not set: jobs run at their GPU-proportional share, devices are chosen by the nodes",
                    SchedulerConf.ZK_ADDRESS);
        } else {
            zooKeeper = Optional.of(new ZkTelemetry(conf, this::trigger));
        }
        Telemetry telemetry = zooKeeper.isPresent() ? zooKeeper.get() : new NoTelemetry();
        TreadleMetrics metrics = TreadleMetrics.register();
        PlanExecutor executor =
                new PlanExecutor(gangs, new GangCommitter(access, telemetry), new ContainerResizer(access), metrics);
        Optional<ZkTelemetry> records = zooKeeper;
        RoundDriver driver = new RoundDriver(
                () -> isRecovered() && records.map(ZkTelemetry::isReady).orElse(true),
                gangs,
                new SnapshotBuilder(access, telemetry, conf),
                this::policyOf,
                executor,
                new GangDiagnostics(rmContext),
                metrics,
                conf,
                Clock.systemUTC());
        return new Parts(
                conf,
                telemetry,
                zooKeeper,
                new ProposalGuard(this, telemetry),
                new SubmissionCheck(access, telemetry),
                driver,
                metrics);
    }

    @Override
    public void serviceStart() throws Exception {
        parts().zooKeeper().ifPresent(ZkTelemetry::start);
        super.serviceStart();
        parts().driver().start();
    }

    @Override
    public void serviceStop() throws Exception {
        Parts stopping = parts;
        if (stopping != null) {
            stopping.driver().stop();
            stopping.zooKeeper().ifPresent(ZkTelemetry::close);
        }
        super.serviceStop();
    }

    /** The last overridable call of a refresh that can still refuse the new configuration. */
    @Override
    public void updatePlacementRules() throws IOException {
        super.updatePlacementRules();
        try {
            for (Map.Entry<String, String> setting : getConfiguration()) {
                QueueSettings.checkKey(
                        setting.getKey(),
                        path -> getCapacitySchedulerQueueManager().getQueues().containsKey(path));
            }
            for (CSQueue queue : getCapacitySchedulerQueueManager().getQueues().values()) {
                QueueSettings.check(queue.getQueuePath(), QueueLookUp.of(this, queue));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("treadle: " + e.getMessage(), e);
        }
    }

    /** CapacityScheduler allocates nothing either until the nodes had time to report what runs on them. */
    private boolean isRecovered() {
        return !rmContext.isWorkPreservingRecoveryEnabled() || rmContext.isSchedulerReadyForAllocatingContainers();
    }

    private Policy policyOf(String queuePath) {
        return QueueSettings.policy(queuePath, QueueLookUp.of(this, getQueue(queuePath)));
    }

    @Override
    public void handle(SchedulerEvent event) {
        if (event instanceof AppAddedSchedulerEvent added) {
            handleAdded(added);
            return;
        }
        if (event instanceof AppRemovedSchedulerEvent removed) {
            removeGang(removed.getApplicationID());
        }
        if (event instanceof AppAttemptRemovedSchedulerEvent ended) {
            abandonUpdates(ended.getApplicationAttemptID());
        }
        if (event instanceof NodeRemovedSchedulerEvent removed) {
            String node = removed.getRemovedRMNode().getNodeID().toString();
            parts().zooKeeper().ifPresent(z -> z.nodeRemoved(node));
        }
        if (event instanceof NodeAddedSchedulerEvent) {
            // CapacityScheduler adds the node, lets go of the lock and then recovers what runs there: a gang that is
            // committed between the two would be put upon it.
            access.locked(() -> {
                super.handle(event);
                return true;
            });
        } else {
            super.handle(event);
        }
        if (!(event instanceof NodeUpdateSchedulerEvent)) {
            trigger();
        }
    }

    private void abandonUpdates(ApplicationAttemptId attempt) {
        if (gangs.find(attempt.getApplicationId()).isPresent()) {
            access.locked(() -> {
                access.app(attempt.getApplicationId())
                        .filter(app -> app.getApplicationAttemptId().equals(attempt))
                        .ifPresent(app -> UpdatesInFlight.abandon(app, access));
                return true;
            });
        }
    }

    private void handleAdded(AppAddedSchedulerEvent event) {
        ApplicationId id = event.getApplicationId();
        Optional<GangSpec> spec;
        try {
            spec = gangSpec(id);
            if (spec.isPresent() && !event.getIsAppRecovering()) {
                checkSubmission(spec.get(), event.getQueue(), id);
            }
        } catch (IllegalArgumentException e) {
            if (!event.getIsAppRecovering()) {
                LOG.info("Application {} is refused: {}", id, e.getMessage());
                rmContext
                        .getDispatcher()
                        .getEventHandler()
                        .handle(new RMAppEvent(id, RMAppEventType.APP_REJECTED, "treadle: " + e.getMessage()));
                return;
            }
            LOG.error("Application {} is recovered as a plain application: {}", id, e.getMessage());
            spec = Optional.empty();
        }
        super.handle(event);
        spec.ifPresent(s -> addGang(id, s, event.getUser()));
    }

    private Optional<GangSpec> gangSpec(ApplicationId id) {
        RMApp app = rmContext.getRMApps().get(id);
        ApplicationSubmissionContext context = app == null ? null : app.getApplicationSubmissionContext();
        Map<String, String> properties = context == null ? null : context.getApplicationSchedulingPropertiesMap();
        return properties == null || !GangTable.isGang(properties)
                ? Optional.empty()
                : Optional.of(GangSpec.fromProperties(properties));
    }

    private void checkSubmission(GangSpec spec, @Nullable String queueName, ApplicationId id) {
        CSQueue queue = queueName == null ? null : getQueue(queueName);
        if (queue != null) {
            String partition = partition(id, queue);
            parts().submissions().refuse(spec, queue.getQueuePath(), partition).ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
        }
    }

    private void addGang(ApplicationId id, GangSpec spec, String user) {
        SchedulerApplication<FiCaSchedulerApp> application = applications.get(id);
        RMApp app = rmContext.getRMApps().get(id);
        if (application == null || app == null || !(application.getQueue() instanceof CSQueue queue)) {
            return;
        }
        gangs.add(new Gang(
                id, spec, queue.getQueuePath(), partition(id, queue), user, app.getName(), app.getSubmitTime()));
        parts().zooKeeper().ifPresent(z -> z.jobAdded(id.toString(), user, spec));
        trigger();
    }

    private String partition(ApplicationId id, CSQueue queue) {
        RMApp app = rmContext.getRMApps().get(id);
        String label =
                app == null ? null : app.getApplicationSubmissionContext().getNodeLabelExpression();
        label = label == null ? queue.getDefaultNodeLabelExpression() : label;
        return label == null ? "" : label.trim();
    }

    private void removeGang(ApplicationId id) {
        gangs.find(id).ifPresent(gang -> parts().zooKeeper()
                .ifPresent(z -> z.jobRemoved(id.toString(), gang.user(), gang.spec())));
        gangs.remove(id);
    }

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> ask,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> release,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updateRequests) {
        ReservedTags.refuseIn(schedulingRequests);
        Optional<Gang> gang = gangs.find(attempt.getApplicationId());
        gang.ifPresent(g -> g.delivery().lock());
        try {
            ContainerUpdates left = gang.isPresent() ? updateSettled(attempt, updateRequests) : updateRequests;
            return super.allocate(
                    attempt, ask, schedulingRequests, release, blacklistAdditions, blacklistRemovals, left);
        } finally {
            gang.ifPresent(g -> g.delivery().unlock());
            if (gang.isPresent() && (!ask.isEmpty() || !release.isEmpty())) {
                trigger();
            }
        }
    }

    /** The way of Hadoop's placement processor: it keeps scheduling requests from {@link #allocate}. */
    @Override
    public boolean attemptAllocationOnNode(
            SchedulerApplicationAttempt app, SchedulingRequest request, SchedulerNode node) {
        Optional<String> reserved = ReservedTags.first(request);
        reserved.ifPresent(tag -> LOG.warn(
                "Scheduling request {} of {} is refused: its allocation tag '{}' is the scheduler's",
                request.getAllocationRequestId(),
                app.getApplicationAttemptId(),
                tag));
        return reserved.isEmpty() && super.attemptAllocationOnNode(app, request, node);
    }

    /** Obeys the updates that can be obeyed now; what is left for CapacityScheduler is nothing. */
    private ContainerUpdates updateSettled(ApplicationAttemptId attempt, ContainerUpdates requested) {
        Optional<FiCaSchedulerApp> app = access.app(attempt.getApplicationId())
                .filter(a -> a.getApplicationAttemptId().equals(attempt));
        if (app.isEmpty()) {
            return requested;
        }
        access.locked(() -> {
            handleContainerUpdates(app.get(), UpdatesInFlight.settled(app.get(), requested));
            return true;
        });
        return new ContainerUpdates();
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // CapacityScheduler declares the raw type and casts in the same way
    public boolean tryCommit(Resource cluster, ResourceCommitRequest request, boolean updatePending) {
        ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> typed = request;
        if (parts().guard().allows(typed)) {
            return super.tryCommit(cluster, request, updatePending);
        }
        parts().metrics().vetoed();
        // The proposal's size was added to the application's unconfirmed resource when it was made.
        if (!typed.getContainersToAllocate().isEmpty()) {
            typed.getFirstAllocatedOrReservedContainer()
                    .getAllocatedOrReservedContainer()
                    .getSchedulerApplicationAttempt()
                    .decUnconfirmedRes(typed.getTotalAllocatedResource());
        }
        return false;
    }

    /**
     * A NodeManager reports a container with the version of its start, whatever updates came after: the next update must
     * carry a version above all of them.
     */
    @Override
    public void recoverContainersOnNode(List<NMContainerStatus> reports, RMNode node) {
        super.recoverContainersOnNode(reports, node);
        for (NMContainerStatus report : reports == null ? List.<NMContainerStatus>of() : reports) {
            RMContainer container = getRMContainer(report.getContainerId());
            if (container != null
                    && gangs.find(container.getApplicationAttemptId().getApplicationId())
                            .isPresent()) {
                long least = rmContext.getEpoch() * VERSIONS_PER_EPOCH;
                container.getContainer().setVersion((int)
                        Math.max(container.getContainer().getVersion(), least));
            }
        }
    }

    @Override
    protected void handleContainerUpdates(SchedulerApplicationAttempt app, ContainerUpdates updates) {
        accounts.whileUpdating(() -> super.handleContainerUpdates(app, updates));
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        ApplicationId id = container.getApplicationAttemptId().getApplicationId();
        if (gangs.find(id).isPresent()) {
            String partition = access.node(container.getAllocatedNode())
                    .map(FiCaSchedulerNode::getPartition)
                    .orElse("");
            access.app(id).ifPresent(app -> accounts.completing(app, partition, container));
        }
        super.completedContainerInternal(container, status, event);
    }

    @Override
    public void increaseTaken(ApplicationId id, String partition, Resource more) {
        if (gangs.find(id).isPresent()) {
            access.app(id).ifPresent(app -> accounts.increaseTaken(app, partition, more));
        }
    }

    /** A gang that loses one member is no gang: it is warned as a whole. */
    @Override
    public void markContainerForPreemption(ApplicationAttemptId attempt, RMContainer container) {
        wholeGang(container).forEach(member -> super.markContainerForPreemption(attempt, member));
    }

    @Override
    public void markContainerForKillable(RMContainer container) {
        wholeGang(container).forEach(super::markContainerForKillable);
    }

    private List<RMContainer> wholeGang(RMContainer container) {
        ApplicationId id = container.getApplicationAttemptId().getApplicationId();
        Optional<FiCaSchedulerApp> app = gangs.find(id).isPresent() ? access.app(id) : Optional.empty();
        return app.isEmpty() || container.isAMContainer()
                ? List.of(container)
                : app.get().getLiveContainers().stream()
                        .filter(c -> !c.isAMContainer())
                        .toList();
    }

    @Override
    public boolean isPlanned(ApplicationId id) {
        Parts current = parts;
        Optional<Gang> gang = gangs.find(id);
        return current != null
                && gang.isPresent()
                && !current.driver().isPlain(gang.get().queue());
    }

    @Override
    public boolean offersGpus(SchedulerNode node, long gpus) {
        return !(node instanceof FiCaSchedulerNode known) || parts().guard().offersGpus(known, gpus);
    }

    @Override
    public boolean isWaitingForAppMaster(ApplicationId id) {
        return access.app(id).map(FiCaSchedulerApp::isWaitingForAMContainer).orElse(true);
    }

    /** The jobs with task groups, for the page and the REST resource. */
    public GangTable gangs() {
        return gangs;
    }

    /** A report on jobs, nodes and queues as they are now. */
    public StatusReport report() {
        return new StatusReport(access, parts().telemetry());
    }

    /** The name of a queue's policy as its settings stand now. */
    public String policyName(String queuePath) {
        return policyOf(queuePath).name();
    }

    /** Proposals from outside a plan that were refused so far. */
    long vetoes() {
        return parts().metrics().vetoCount();
    }

    SchedulerAccess access() {
        return access;
    }

    private Parts parts() {
        Parts current = parts;
        if (current == null) {
            throw new IllegalStateException("TreadleScheduler is used before it is initialised");
        }
        return current;
    }

    private void trigger() {
        Parts current = parts;
        if (current != null) {
            current.driver().trigger();
        }
    }

    /** What the bridge may do with this scheduler; much of it is protected in Hadoop's classes. */
    private final class Access implements SchedulerAccess {
        @Override
        public Optional<FiCaSchedulerApp> app(ApplicationId id) {
            SchedulerApplication<FiCaSchedulerApp> application = applications.get(id);
            FiCaSchedulerApp attempt = application == null ? null : application.getCurrentAppAttempt();
            return attempt == null || attempt.isStopped() ? Optional.empty() : Optional.of(attempt);
        }

        @Override
        public Collection<FiCaSchedulerNode> nodes() {
            return nodeTracker.getAllNodes();
        }

        @Override
        public Optional<FiCaSchedulerNode> node(NodeId id) {
            return Optional.ofNullable(nodeTracker.getNode(id));
        }

        @Override
        public Optional<CSQueue> queue(String path) {
            return Optional.ofNullable(getQueue(path));
        }

        @Override
        public List<String> leafQueues() {
            return getCapacitySchedulerQueueManager().getQueues().values().stream()
                    .filter(AbstractLeafQueue.class::isInstance)
                    .map(CSQueue::getQueuePath)
                    .sorted()
                    .toList();
        }

        @Override
        public Resource clusterResource() {
            return getClusterResource();
        }

        @Override
        public Resource smallestContainer() {
            return getMinimumResourceCapability();
        }

        @Override
        public boolean locked(BooleanSupplier action) {
            writeLock.lock();
            try {
                return action.getAsBoolean();
            } finally {
                writeLock.unlock();
            }
        }

        @Override
        public boolean commitPlanned(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
            return TreadleScheduler.super.tryCommit(getClusterResource(), request, true);
        }

        @Override
        public void takeBack(RMContainer container, String why) {
            completedContainer(
                    container,
                    SchedulerUtils.createAbnormalContainerStatus(container.getContainerId(), why),
                    RMContainerEventType.RELEASED);
        }

        @Override
        public void update(FiCaSchedulerApp app, ContainerUpdates updates) {
            handleContainerUpdates(app, updates);
        }
    }
}
