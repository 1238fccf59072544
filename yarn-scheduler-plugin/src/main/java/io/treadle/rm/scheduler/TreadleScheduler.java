// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyPlugins;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.AnsweredTags;
import io.treadle.rm.bridge.CapacityAccess;
import io.treadle.rm.bridge.ContainerEnd;
import io.treadle.rm.bridge.DeviceUpdates;
import io.treadle.rm.bridge.EndedApplications;
import io.treadle.rm.bridge.GangAsks;
import io.treadle.rm.bridge.GangMembers;
import io.treadle.rm.bridge.GangPreemptionPolicy;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.NodeOffers;
import io.treadle.rm.bridge.OfferedPlacement;
import io.treadle.rm.bridge.OpportunisticDevices;
import io.treadle.rm.bridge.PlacementNames;
import io.treadle.rm.bridge.PreemptedGangs;
import io.treadle.rm.bridge.QueueBudgets;
import io.treadle.rm.bridge.QueueLookUp;
import io.treadle.rm.bridge.QueuesCheck;
import io.treadle.rm.bridge.ReservedTags;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.bridge.SubmittedGangs;
import io.treadle.rm.bridge.UndeliveredGangs;
import io.treadle.rm.bridge.UpdateAccounts;
import io.treadle.rm.bridge.UpdatesInFlight;
import io.treadle.rm.bridge.WebServices;
import io.treadle.rm.conf.HadoopCheck;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.ClusterPower;
import io.treadle.rm.profile.ProfileStore;
import io.treadle.rm.profile.ZkTelemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QuickTypeMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
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
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * CapacityScheduler that grants gangs whole and sizes running containers by what their jobs can use. With no job of ours
 * in the cluster every path is CapacityScheduler's own, and so it is before {@link #serviceInit}: what is never initialised has
 * queues and commits, and nothing of ours. This class holds only the hooks; the work is done behind it.
 */
public final class TreadleScheduler extends CapacityScheduler implements GangHost {
    private final GangTable gangs = new GangTable();
    private final JobHistories histories = new JobHistories();
    private final CapacityAccess access = new CapacityAccess(this, new Hooks());
    private final GangMembers members = new GangMembers(access, gangs);
    private final PreemptedGangs preempted =
            new PreemptedGangs(access, this, members, this::reservations, () -> parts().telemetry(), this::nowMs);
    private final UndeliveredGangs undelivered = new UndeliveredGangs(access, gangs);
    private final UpdateAccounts accounts = new UpdateAccounts();
    private final RoundEvents events = new RoundEvents(gangs, access);
    private final OwnPart own =
            new OwnPart(() -> Optional.ofNullable(this.parts).map(SchedulerParts::metrics), System::nanoTime);
    private final UnaryOperator<Policy> around;
    private final Surroundings surroundings;
    private final Clock clock;
    /** The last configuration that was not refused, to which YARN goes back. Guarded by CapacityScheduler's write lock. */
    private @Nullable Configuration accepted;

    private volatile @Nullable SchedulerParts parts;
    /** CapacityScheduler reads it at the start alone. */
    private volatile boolean isAsynchronous = true;

    private volatile PolicyRegistry policies = PolicyRegistry.BUILT_IN;

    public TreadleScheduler() {
        this(UnaryOperator.identity());
    }

    /** @param around stands between each queue's policy and its rounds: no setting names a policy that fails */
    TreadleScheduler(UnaryOperator<Policy> around) {
        this(around, Surroundings.REAL);
    }

    TreadleScheduler(UnaryOperator<Policy> around, Surroundings surroundings) {
        this.around = around;
        this.surroundings = surroundings;
        this.clock = surroundings.clock();
    }

    @Override
    public void serviceInit(Configuration configuration) throws Exception {
        HadoopCheck.check(VersionInfo.getVersion());
        SchedulerConf conf = SchedulerConf.from(configuration);
        policies = PolicyPlugins.installed().with(conf.smd());
        prepare(rmContext.getYarnConfiguration());
        OpportunisticDevices.addTo(configuration);
        parts = SchedulerParts.create(
                conf,
                access,
                this,
                gangs,
                queue -> around.apply(policyOf(queue)),
                new QueueBudgets(this, readLock),
                rmContext,
                surroundings,
                this::observe,
                events.triggers());
        GangPreemptionPolicy.install(configuration);
        super.serviceInit(configuration);
        QuickTypeMetrics.install();
        isAsynchronous = getConfiguration().getScheduleAynschronously();
    }

    /** What others read from the context's configuration, not from ours. A context that a test makes may have none. */
    private static void prepare(@Nullable Configuration ofContext) {
        if (ofContext != null) {
            // AppSchedulingInfo reads the allocator's class there.
            PlacementNames.replaceIn(ofContext);
            OfferedPlacement.install(ofContext);
            WebServices.addTo(ofContext);
        }
    }

    @Override
    public void serviceStart() throws Exception {
        parts().zooKeeper().ifPresent(z -> z.start(new EndedApplications(rmContext)));
        super.serviceStart();
        parts().start();
    }

    @Override
    public void serviceStop() throws Exception {
        SchedulerParts stopping = parts;
        try {
            if (stopping != null) {
                stopping.stop();
            }
        } finally {
            super.serviceStop();
        }
    }

    /**
     * The first overridable call of a refresh that has read the new configuration. Nothing is changed yet: a queue that a refused refresh
     * has added already could not be taken away again, as it is open.
     */
    @Override
    protected void refreshMaximumAllocation(Resource most) {
        if (getConfiguration() != accepted) {
            try {
                QueuesCheck.checkBeforeQueuesChange(this);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
        super.refreshMaximumAllocation(most);
    }

    /** The last overridable call that can still refuse a configuration, at the start and at a refresh: the queues are there. */
    @Override
    public void updatePlacementRules() throws IOException {
        super.updatePlacementRules();
        QueuesCheck.check(this);
        accepted = getConfiguration();
    }

    @Override
    public void reinitialize(Configuration newConf, RMContext context) throws IOException {
        GangPreemptionPolicy.install(newConf);
        SchedulerParts current = parts;
        if (current == null) {
            super.reinitialize(newConf, context);
            return;
        }
        current.driver().refreshes().begins();
        try {
            super.reinitialize(newConf, context);
            // What made a policy fail may be mended now: it is tried again at once.
            current.driver().refreshed();
        } finally {
            current.driver().refreshes().ends();
            events.triggers().gangs();
        }
    }

    private Policy policyOf(String queuePath) {
        // While a refresh holds the other lock the new settings may still be refused.
        readLock.lock();
        try {
            return QueueSettings.policy(queuePath, policies, QueueLookUp.of(this, getQueue(queuePath)));
        } finally {
            readLock.unlock();
        }
    }

    @Override
    public void handle(SchedulerEvent event) {
        if (parts == null) {
            super.handle(event);
            return;
        }
        if (event instanceof NodeUpdateSchedulerEvent) {
            super.handle(event);
            if (events.areAllNodesSettled()) {
                // As after nearly all events of a cluster.
                return;
            }
        } else if (event instanceof AppAddedSchedulerEvent added) {
            own.around("take an application in", () -> super.handle(event), stock -> submittedGangs()
                    .add(added, stock)
                    .ifPresent(gang -> parts().zooKeeper()
                            .ifPresent(z -> z.jobAdded(gang.id().toString(), gang.spec()))));
        } else if (event instanceof NodeRemovedSchedulerEvent removed) {
            NodeId node = removed.getRemovedRMNode().getNodeID();
            own.run("look at what is proposed for a node that goes", () -> parts().guard()
                    .nodeGoes(node));
            own.run("note that a node goes", () -> parts().zooKeeper().ifPresent(z -> z.nodeRemoved(node.toString())));
            own.around(
                    "see which gangs lose a node",
                    () -> super.handle(event),
                    stock -> access.whileLeaving(node, () -> {
                        undelivered.nodeGoes(node);
                        stock.run();
                    }));
            own.run("forget refusals on a node", () -> parts().refusals().forget(node));
        } else if (event instanceof NodeAddedSchedulerEvent added) {
            String node = added.getAddedRMNode().getNodeID().toString();
            own.run("note that a node comes", () -> parts().zooKeeper().ifPresent(z -> z.nodeAdded(node)));
            // CapacityScheduler adds the node, lets go of the lock and then recovers what runs there: a gang that is
            // committed between the two would be put upon it.
            own.around(
                    "add a node under one lock",
                    () -> super.handle(event),
                    stock -> access.locked(() -> {
                        stock.run();
                        parts().guard().nodeCame(added.getAddedRMNode().getNodeID());
                        return true;
                    }));
            own.run("note that a node has joined", () -> parts().submissions()
                    .nodeJoined(added.getAddedRMNode().getNodeID()));
        } else {
            if (event instanceof AppRemovedSchedulerEvent removed) {
                own.run("note that an application has ended", () -> removeGang(removed.getApplicationID()));
            }
            if (event instanceof AppAttemptRemovedSchedulerEvent ended) {
                own.around(
                        "give up updates of an attempt",
                        () -> super.handle(event),
                        stock -> members.attemptEnds(ended.getApplicationAttemptID(), stock));
            } else {
                super.handle(event);
            }
            if (event instanceof AppRemovedSchedulerEvent removed) {
                own.run("forget refusals", () -> parts().refusals().forget(removed.getApplicationID()));
            }
        }
        own.run("see whether a round is due", () -> events.handled(event));
    }

    private SubmittedGangs submittedGangs() {
        return new SubmittedGangs(this, rmContext, parts().submissions(), gangs);
    }

    @Override
    public String moveApplication(ApplicationId id, String targetQueue) throws YarnException {
        if (parts == null) {
            return super.moveApplication(id, targetQueue);
        }
        QueueMove move = new QueueMove(() -> super.moveApplication(id, targetQueue));
        own.around("move each container once", move, stock -> members.moves(id, stock));
        submittedGangs().moved(id);
        events.triggers().gangs();
        return move.queue();
    }

    private void removeGang(ApplicationId id) {
        gangs.find(id).ifPresent(gang -> {
            events.triggers().gangs();
            // Before what it told us is forgotten.
            own.run("keep a job's history", () -> histories.end(report().job(gang), clock.millis()));
            own.run("count a job's energy", () -> parts().power().jobEnded(id.toString()));
            own.run("forget a job's records", () -> parts().zooKeeper()
                    .ifPresent(z -> z.jobRemoved(id.toString(), gang.user(), gang.spec())));
        });
        own.run("forget how long a job was measured", () -> parts().measured().forget(id.toString()));
        gangs.remove(id);
    }

    private void observe(List<Gang> observed) {
        StatusReport report = report();
        observed.forEach(gang -> histories.observe(report.job(gang), clock.millis()));
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
        if (parts == null) {
            return super.allocate(
                    attempt, ask, schedulingRequests, release, blacklistAdditions, blacklistRemovals, updateRequests);
        }
        ReservedTags.refuseIn(schedulingRequests);
        Optional<Gang> gang = gangs.find(attempt.getApplicationId());
        gang.ifPresent(g -> GangAsks.refuseIn(g, schedulingRequests));
        new DeviceUpdates(this, parts().telemetry()).check(updateRequests);
        List<SchedulingRequest> asked = own.or(
                "name an allocator for scheduling requests",
                () -> schedulingRequests,
                () -> prepared(attempt, schedulingRequests));
        // Not guarded: a gang would arrive in parts. Where it waits for its ApplicationMaster nothing is looked up.
        gang.filter(g -> isPlanned(g.id())).ifPresent(undelivered::breakWhatCannotBeDelivered);
        if (gang.isEmpty()) {
            return AnsweredTags.own(super.allocate(
                    attempt, ask, asked, release, blacklistAdditions, blacklistRemovals, updateRequests));
        }
        try {
            return undelivered.answer(
                    gang.get(),
                    () -> AnsweredTags.own(super.allocate(
                            attempt,
                            ask,
                            asked,
                            release,
                            blacklistAdditions,
                            blacklistRemovals,
                            updateSettled(attempt, updateRequests))));
        } finally {
            if (!ask.isEmpty() || !release.isEmpty()) {
                events.triggers().gangs();
            }
        }
    }

    @Override
    public @Nullable List<Container> getTransferredContainers(ApplicationAttemptId attempt) {
        // Hadoop gives null for an unmanaged ApplicationMaster.
        List<Container> containers = super.getTransferredContainers(attempt);
        return containers == null ? null : AnsweredTags.own(containers);
    }

    private List<SchedulingRequest> prepared(ApplicationAttemptId attempt, List<SchedulingRequest> requests) {
        Optional<FiCaSchedulerApp> app = requests == null || requests.isEmpty()
                ? Optional.empty()
                : access.app(attempt.getApplicationId())
                        .filter(a -> a.getApplicationAttemptId().equals(attempt));
        return app.map(a -> PlacementNames.prepare(a.getAppSchedulingInfo(), requests))
                .orElse(requests);
    }

    /** The way of Hadoop's placement processor: it keeps scheduling requests from {@link #allocate}. */
    @Override
    public boolean attemptAllocationOnNode(
            SchedulerApplicationAttempt app, SchedulingRequest request, SchedulerNode node) {
        return !ReservedTags.isIn(request, app.getApplicationAttemptId())
                && super.attemptAllocationOnNode(app, request, node);
    }

    /** Obeys the updates that can be obeyed now; what is left for CapacityScheduler is nothing. */
    private ContainerUpdates updateSettled(ApplicationAttemptId attempt, ContainerUpdates requested) {
        Optional<FiCaSchedulerApp> app = access.app(attempt.getApplicationId())
                .filter(a -> a.getApplicationAttemptId().equals(attempt));
        // As CapacityScheduler itself, most heartbeats take no lock of the whole scheduler.
        if (app.isEmpty() || UpdatesInFlight.isEmpty(requested)) {
            return requested;
        }
        ApplicationId id = attempt.getApplicationId();
        boolean mayGrow = !isPlanned(id) || parts().measured().isMeasured(id.toString(), true);
        for (ContainerUpdates part : UpdatesInFlight.inParts(requested)) {
            access.locked(() -> {
                handleContainerUpdates(app.get(), UpdatesInFlight.settled(app.get(), part, mayGrow, access));
                return true;
            });
        }
        return new ContainerUpdates();
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // CapacityScheduler declares the raw type and casts in the same way
    public boolean tryCommit(Resource cluster, ResourceCommitRequest request, boolean updatePending) {
        ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> typed = request;
        if (parts == null) {
            return super.tryCommit(cluster, request, updatePending);
        }
        if (typed == null) {
            // Hadoop's placement processor found the node of its choice gone.
            return false;
        }
        if (writeLock.isHeldByCurrentThread()) {
            // Without threads of its own CapacityScheduler reads a node and commits what it proposes for it in one
            // hold.
            return commitAllowed(cluster, typed, updatePending, !isAsynchronous);
        }
        // Hadoop's placement processor comes here without the lock: devices would be chosen twice.
        return access.locked(() -> commitAllowed(cluster, typed, updatePending, false));
    }

    private boolean commitAllowed(
            Resource cluster,
            ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> proposal,
            boolean updatePending,
            boolean isNodeThere) {
        return isAllowed(proposal, updatePending, isNodeThere) && super.tryCommit(cluster, proposal, updatePending);
    }

    /** As {@link OwnPart#or}, written out: it is in the way of every container. */
    private boolean isAllowed(
            ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> proposal,
            boolean updatePending,
            boolean isNodeThere) {
        Optional<String> refusal;
        try {
            if (!access.formingRoom().isLeftBy(proposal)) {
                // That lasts for milliseconds: it is no reason to leave the application out.
                refused(proposal, false, "a gang that is being granted has its room there");
                return false;
            }
            refusal = parts().guard().refusal(proposal, isNodeThere);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            own.failed("check a proposal", e);
            refusal = NodeOffers.unchecked(proposal);
        }
        refusal.ifPresent(why -> refused(proposal, updatePending, why));
        return refusal.isEmpty();
    }

    private void refused(
            ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> proposal, boolean updatePending, String why) {
        own.run("note a refusal", () -> {
            parts().metrics().vetoed();
            parts().guard().refused(proposal, updatePending, why);
        });
    }

    @Override
    public void recoverContainersOnNode(List<NMContainerStatus> reports, RMNode node) {
        super.recoverContainersOnNode(reports, node);
        if (gangs.isEmpty()) {
            return;
        }
        for (NMContainerStatus report : reports == null ? List.<NMContainerStatus>of() : reports) {
            own.run(
                    "know a recovered container",
                    () -> members.raiseVersion(getRMContainer(report.getContainerId()), rmContext.getEpoch()));
        }
    }

    @Override
    protected void handleContainerUpdates(SchedulerApplicationAttempt app, ContainerUpdates updates) {
        own.around(
                "keep accounts of updates", () -> super.handleContainerUpdates(app, updates), accounts::whileUpdating);
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        ContainerEnd end = own.or(
                "see how a container ends",
                () -> new ContainerEnd(container, event),
                () -> ContainerEnd.of(container, event, members, access));
        super.completedContainerInternal(end.container(), status, end.event());
        own.run("note that a container has ended", () -> {
            preempted.ended(container);
            events.ended(container);
        });
    }

    private long nowMs() {
        return clock.millis();
    }

    @Override
    public void increaseTaken(ApplicationId id, String partition, Resource more) {
        own.run("count an increase", () -> gangs.find(id)
                .flatMap(gang -> access.app(id))
                .ifPresent(app -> accounts.increaseTaken(app, partition, more)));
    }

    @Override
    public void markContainerForPreemption(ApplicationAttemptId attempt, RMContainer container) {
        own.or("see who is warned with a container", () -> alone(container), () -> preempted.toWarn(container))
                .forEach(member -> super.markContainerForPreemption(attempt, member));
    }

    /** Part of a gang is of no use to anybody. */
    private List<RMContainer> alone(RMContainer container) {
        return gangs.find(container.getApplicationAttemptId().getApplicationId())
                        .isPresent()
                ? List.of()
                : List.of(container);
    }

    /**
     * A gang is ended whole, also with YARN's lazy preemption: that only marks containers, and ends those later one by one whose
     * room somebody takes.
     */
    @Override
    public void markContainerForKillable(RMContainer container) {
        if (!own.or("see whether a container was warned", () -> true, () -> preempted.isWarned(container))) {
            // YARN comes again.
            markContainerForPreemption(container.getApplicationAttemptId(), container);
            return;
        }
        List<RMContainer> whole =
                own.or("see who ends with a container", () -> alone(container), () -> preempted.toEnd(container));
        if (whole.equals(List.of(container))) {
            super.markContainerForKillable(container);
        } else {
            whole.forEach(member -> access.preempt(member, SchedulerUtils.PREEMPTED_CONTAINER));
        }
    }

    @Override
    public boolean isPlanned(ApplicationId id) {
        SchedulerParts current = parts;
        Optional<Gang> gang = gangs.find(id);
        return current != null && gang.isPresent() && !current.driver().isPlain(gang.get());
    }

    @Override
    public boolean hasGangs() {
        return !gangs.isEmpty();
    }

    @Override
    public boolean knowsDevices() {
        SchedulerParts current = parts;
        return current != null
                && current.telemetry().knowsNodes()
                && access.nodes().stream().anyMatch(node -> current.telemetry()
                        .node(node.getNodeID().toString())
                        .isPresent());
    }

    @Override
    public boolean isLeftToPlanner(AppSchedulingInfo app, SchedulerRequestKey key) {
        SchedulerParts current = parts;
        return current != null
                && own.or(
                        "see whether a gang is planned",
                        () -> GangTable.isGang(app.getApplicationSchedulingEnvs()),
                        () -> current.offers().isLeftToPlanner(app, key));
    }

    @Override
    public Optional<String> obstacle(
            AppSchedulingInfo app, SchedulerRequestKey key, ResourceVector size, SchedulerNode node) {
        SchedulerParts current = parts;
        if (current == null) {
            return Optional.empty();
        }
        // As OwnPart.or, written out: it is asked for each node that is looked at.
        try {
            return current.offers().obstacle(app, key, size, node);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            own.failed("check a node for an ask", e);
            return NodeOffers.unchecked(app, size);
        }
    }

    @Override
    public boolean isWaitingForAppMaster(ApplicationId id) {
        return access.app(id).map(FiCaSchedulerApp::isWaitingForAMContainer).orElse(true);
    }

    /** The jobs with task groups, for the page and the REST resource. */
    public GangTable gangs() {
        return gangs;
    }

    /** What jobs held over time, also of some that have ended. */
    public JobHistories histories() {
        return histories;
    }

    /** Room on nodes that is kept for waiting gangs. */
    public GangReservations reservations() {
        return parts().reservations();
    }

    /** What the cluster draws and may draw, and who spent it. */
    public ClusterPower power() {
        return parts().power();
    }

    /** How near the choice of jobs comes to the best, for each queue whose policy tells, by path. */
    public List<QueueAdmission> admissions() {
        return parts().driver().admissions();
    }

    /** What the planner does now, and what failed. */
    public PlannerHealth.Report planner() {
        return parts().driver().health();
    }

    /** Why a job that is too large for the nodes without a label may fit later; empty where the cluster is complete. */
    public Optional<String> mayGrow() {
        return parts().submissions().mayGrow("");
    }

    /** Profiles of jobs that have ended; empty where the cluster has no ZooKeeper. */
    public Optional<ProfileStore> profiles() {
        return parts().zooKeeper().map(ZkTelemetry::store);
    }

    /** A report on jobs, nodes and queues as they are now. */
    public StatusReport report() {
        return new StatusReport(access, parts().telemetry(), parts().reservations());
    }

    /** The name of a queue's policy as its settings stand now, for people; where they name none, what is wrong. */
    public String policyName(String queuePath) {
        try {
            return policyOf(queuePath).name();
        } catch (IllegalArgumentException e) {
            return "unusable: " + e.getMessage();
        }
    }

    /** Proposals from outside a plan that were refused so far. */
    long vetoes() {
        return parts().metrics().vetoCount();
    }

    /** How often a part of ours has failed so far. */
    long failures() {
        return parts().metrics().failureCount();
    }

    SchedulerAccess access() {
        return access;
    }

    /** One round, on the caller's thread; only where the {@link Surroundings} say so. */
    void turn() {
        parts().driver().turn();
    }

    private SchedulerParts parts() {
        SchedulerParts current = parts;
        if (current == null) {
            throw new IllegalStateException("TreadleScheduler is used before it is initialised");
        }
        return current;
    }

    /** What is protected in Hadoop's classes. */
    private final class Hooks implements CapacityAccess.Hooks {
        @Override
        public ReentrantReadWriteLock.WriteLock writeLock() {
            return writeLock;
        }

        @Override
        public void held(long nanos) {
            SchedulerParts current = parts;
            if (current != null) {
                current.metrics().lockHeld(nanos);
            }
        }

        @Override
        public boolean commit(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
            return access.locked(() -> parts().guard().hasRoomFor(request)
                    && TreadleScheduler.super.tryCommit(getClusterResource(), request, true));
        }

        @Override
        public long sharedStorageFreeMBps() {
            return parts().sharedStorage().freeMBps();
        }

        @Override
        public void update(FiCaSchedulerApp app, ContainerUpdates updates) {
            // Hadoop's books of updates are for one thread, the one that answers the ApplicationMaster: it reads and
            // clears
            // them under this lock.
            app.getWriteLock().lock();
            try {
                handleContainerUpdates(app, updates);
            } finally {
                app.getWriteLock().unlock();
            }
        }
    }
}
