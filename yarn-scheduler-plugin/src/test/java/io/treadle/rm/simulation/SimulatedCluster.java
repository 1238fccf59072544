// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.GangPreemptionPolicy;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.scheduler.SteppedScheduler;
import io.treadle.rm.scheduler.TreadleScheduler;
import io.treadle.rm.scheduler.WatchedPolicy;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.jspecify.annotations.Nullable;

/** A ResourceManager with its nodes and applications, of which each does what it is told when it is told. */
final class SimulatedCluster implements AutoCloseable {
    /** As many as there are in the largest cluster. */
    static final int NODES = 5;

    private static final int FIRST_PORT = 1001;
    private static final int GPUS = 2;
    static final ResourceVector NODE = ResourceVector.of(GPUS, 8, 8192);

    final SimulatedTime time = new SimulatedTime();
    final SimulatedRecords records = new SimulatedRecords(time);
    private boolean stock;
    private final Consumer<YarnConfiguration> further;
    private boolean tasksEnd = true;
    private final SimulatedStore store = new SimulatedStore();
    private final Map<Integer, SimulatedNode> nodes = new TreeMap<>();
    private final Map<Integer, SimulatedApplication> applications = new TreeMap<>();
    private Setting setting;
    private boolean policiesFail;
    private boolean relabelled;
    private boolean plainResized;
    private int starts;
    private int moves;
    private final List<String> delivered = new ArrayList<>();
    private final List<MockRM> before = new ArrayList<>();
    private MockRM resourceManager;
    private @Nullable HeldProposals proposals;
    private @Nullable ProportionalCapacityPreemptionPolicy preemption;

    /** @param stock whether CapacityScheduler itself is to run, without Treadle */
    SimulatedCluster(Setting setting, boolean stock) throws Exception {
        this(setting, stock, conf -> {});
    }

    /** @param further settings that the cluster has beside those */
    SimulatedCluster(Setting setting, boolean stock, Consumer<YarnConfiguration> further) throws Exception {
        this.setting = setting;
        this.stock = stock;
        this.further = further;
        store.init(configuration());
        this.resourceManager = start();
        time.advance(Setting.RECOVERY_MS + 1);
        for (int i = 0; i < NODES; i++) {
            SimulatedNode node = new SimulatedNode(
                    FIRST_PORT + i, YarnResources.resource(NODE), GPUS, resourceManager.getResourceTrackerService());
            nodes.put(i, node);
            writeRecord(node);
            node.beat();
        }
        drain();
    }

    private YarnConfiguration configuration() {
        YarnConfiguration conf = setting.configuration(stock);
        further.accept(conf);
        return conf;
    }

    private MockRM start() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = configuration();
        MockRM started = SteppedResourceManager.create(conf, store, time, this::scheduler);
        SteppedResourceManager.start(started, ++starts);
        CapacityScheduler scheduler = (CapacityScheduler) started.getResourceScheduler();
        proposals = setting.asynchronous() ? new HeldProposals(scheduler) : null;
        preemption = null;
        if (setting.preempts()) {
            ProportionalCapacityPreemptionPolicy policy =
                    stock ? new ProportionalCapacityPreemptionPolicy() : new GangPreemptionPolicy();
            policy.init(scheduler.getConfiguration(), started.getRMContext(), scheduler);
            SteppedResourceManager.setClock(policy, time);
            preemption = policy;
        }
        return started;
    }

    private CapacityScheduler scheduler(org.apache.hadoop.conf.Configuration conf) {
        CapacityScheduler scheduler = stock
                ? new CapacityScheduler()
                : SteppedScheduler.create(this::failing, time, time::nanos, records, records::isReady);
        scheduler.setConf(conf);
        return scheduler;
    }

    private Policy failing(Policy policy) {
        return new WatchedPolicy(policy, snapshot -> {
            if (policiesFail) {
                throw new IllegalStateException("the simulation lets this policy fail");
            }
        });
    }

    MockRM resourceManager() {
        return resourceManager;
    }

    CapacityScheduler scheduler() {
        return (CapacityScheduler) resourceManager.getResourceScheduler();
    }

    /** Empty where CapacityScheduler itself runs. */
    Optional<TreadleScheduler> treadle() {
        return stock ? Optional.empty() : Optional.of((TreadleScheduler) scheduler());
    }

    Setting setting() {
        return setting;
    }

    Collection<SimulatedNode> nodes() {
        return nodes.values();
    }

    Optional<SimulatedNode> node(NodeId id) {
        return nodes.values().stream().filter(node -> node.id.equals(id)).findFirst();
    }

    SimulatedNode node(int number) {
        return Objects.requireNonNull(nodes.get(Math.floorMod(number, NODES)));
    }

    Collection<SimulatedApplication> applications() {
        return applications.values();
    }

    Optional<SimulatedApplication> application(int number) {
        return Optional.ofNullable(applications.get(number));
    }

    Optional<HeldProposals> proposals() {
        return Optional.ofNullable(proposals);
    }

    /** Whether tasks end by themselves. */
    boolean doTasksEnd() {
        return tasksEnd;
    }

    /** An ApplicationMaster has received a container. */
    void delivered(Container container) {
        delivered.add(time.millis() + ": " + container.getId() + " of " + container.getResource() + " on "
                + container.getNodeId());
    }

    List<String> delivered() {
        return delivered;
    }

    boolean isPlanned(ApplicationId id) {
        return treadle().map(scheduler -> scheduler.isPlanned(id)).orElse(false);
    }

    /** An application without gangs has asked for another size of a container. */
    void plainResized() {
        plainResized = true;
    }

    /**
     * Whether Hadoop's metrics of queues are right by Hadoop's own doing: they count nodes without a label alone, and lose
     * count when a container of a plain application changes its size.
     */
    boolean areMetricsRight() {
        return !relabelled && !plainResized;
    }

    /** Whether a node ever had a label. */
    boolean wasRelabelled() {
        return relabelled;
    }

    boolean policiesFail() {
        return policiesFail;
    }

    void policiesFail(boolean fail) {
        policiesFail = fail;
    }

    /** All events of the ResourceManager that wait are handled. */
    void drain() {
        resourceManager.drainEvents();
    }

    void submit(Job job) throws Exception {
        UserGroupInformation user = UserGroupInformation.createRemoteUser(job.user());
        ApplicationId id = user.doAs((PrivilegedExceptionAction<ApplicationId>) () -> {
            ApplicationId made = resourceManager.getNewAppId().getApplicationId();
            ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(
                    made,
                    "a" + job.number(),
                    job.queue(),
                    Priority.newInstance(0),
                    nothingToStart(),
                    false,
                    true,
                    3,
                    Resource.newInstance(Setting.LEAST_MIB, 1),
                    job.isGang() ? GangSpec.APPLICATION_TYPE : "PLAIN",
                    true);
            context.setApplicationSchedulingPropertiesMap(
                    job.isGang() ? job.spec().toProperties() : Map.of());
            SubmitApplicationResponse unused = resourceManager
                    .getClientRMService()
                    .submitApplication(SubmitApplicationRequest.newInstance(context));
            return made;
        });
        applications.put(job.number(), new SimulatedApplication(job, id, this));
    }

    private static ContainerLaunchContext nothingToStart() {
        return ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), Map.of(), (ByteBuffer) null, Map.of());
    }

    /** YARN has started an ApplicationMaster on its node. */
    void launched(RMAppAttempt attempt) {
        ((RMAppAttemptImpl) attempt)
                .setAMRMToken(resourceManager
                        .getRMContext()
                        .getAMRMTokenSecretManager()
                        .createAndGetAMRMToken(attempt.getAppAttemptId()));
        node(attempt.getMasterContainer().getNodeId()).ifPresent(node -> node.run(attempt.getMasterContainer()));
        tell(attempt, RMAppAttemptEventType.LAUNCHED);
    }

    /** An ApplicationMaster did not report in time. */
    void expired(RMAppAttempt attempt) {
        tell(attempt, RMAppAttemptEventType.EXPIRE);
    }

    private void tell(RMAppAttempt attempt, RMAppAttemptEventType what) {
        resourceManager
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptEvent(attempt.getAppAttemptId(), what));
    }

    /** The planner's next round. */
    void round() {
        treadle().ifPresent(SteppedScheduler::turn);
    }

    /** YARN's monitor looks at the queues. */
    void preempt() {
        if (preemption != null) {
            UsefulPreemption ends = new UsefulPreemption(this);
            preemption.editSchedule();
            drain();
            ends.look();
        }
    }

    private void writeRecord(SimulatedNode node) {
        if (setting.devices()) {
            records.write(node.id.toString(), node.gpus, node.lostDevices());
        }
    }

    /** The machine fails, and YARN finds out. */
    void lose(SimulatedNode node) throws Exception {
        if (!node.isUp()) {
            return;
        }
        giveUp(node);
        node.fail();
        records.delete(node.id.toString());
    }

    /** YARN waits no longer for a node's heartbeat. */
    void giveUp(SimulatedNode node) {
        // Also where its NodeManager is about to start again: YARN waits for it as ever.
        if (resourceManager.getRMContext().getRMNodes().containsKey(node.id)) {
            resourceManager
                    .getRMContext()
                    .getDispatcher()
                    .getEventHandler()
                    .handle(new RMNodeEvent(node.id, RMNodeEventType.EXPIRE));
        }
    }

    void join(SimulatedNode node) throws Exception {
        if (!node.isUp()) {
            node.start(resourceManager.getResourceTrackerService());
            node.lostDevices().clear();
            writeRecord(node);
        }
    }

    /** A GPU fails, or works again. */
    void turnDevice(SimulatedNode node, int index) {
        int device = Math.floorMod(index, node.gpus);
        if (node.isUp()) {
            if (!node.lostDevices().remove(device)) {
                node.lostDevices().add(device);
            }
            writeRecord(node);
        }
    }

    void relabel(SimulatedNode node, String label) throws Exception {
        var labels = resourceManager.getRMContext().getNodeLabelManager();
        if (!label.isEmpty() && !labels.getClusterNodeLabelNames().contains(label)) {
            labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of(label));
        }
        labels.replaceLabelsOnNode(Map.of(node.id, label.isEmpty() ? Set.of() : Set.of(label)));
        node.label(label);
        relabelled |= !label.isEmpty();
    }

    /** Where YARN lets it. Once the ResourceManager starts again the application is where it was submitted. */
    void move(SimulatedApplication application, String queue) {
        boolean isThere = Yarn.attempts(this).stream()
                .anyMatch(attempt -> attempt.getApplicationId().equals(application.id)
                        && attempt.getCSLeafQueue().getQueuePath().equals("root." + queue));
        if (isThere) {
            // Hadoop would forget what the user holds there.
            return;
        }
        try {
            scheduler().preValidateMoveApplication(application.id, queue);
            String unused = scheduler().moveApplication(application.id, queue);
            moves++;
        } catch (YarnException e) {
            // It is over, or there already.
        }
    }

    /** How many applications have been moved. */
    int moves() {
        return moves;
    }

    void refresh(Setting changed) throws Exception {
        setting = changed;
        scheduler().reinitialize(configuration(), resourceManager.getRMContext());
    }

    /** A new ResourceManager takes over, with what the state store and the nodes know. */
    void restart() throws Exception {
        // It is stopped later: it would stop the state store, which lives on.
        before.add(resourceManager);
        store.complete(nothingToStart());
        records.readAgain();
        resourceManager = start();
        for (SimulatedNode node : nodes.values()) {
            node.meet(resourceManager.getResourceTrackerService());
            if (!node.label().isEmpty()) {
                relabel(node, node.label());
            }
        }
        applications.values().forEach(SimulatedApplication::resourceManagerRestarted);
    }

    /** What runs goes on and does not end by itself any more. */
    void endNoTasks() {
        tasksEnd = false;
    }

    /** The size without the vcores that Treadle has added to what a gang asks for. */
    Resource asked(ContainerId container, Resource size) {
        Optional<Job> gang = applications.values().stream()
                .filter(application -> application.job.isGang()
                        && application.id.equals(
                                container.getApplicationAttemptId().getApplicationId()))
                .map(application -> application.job)
                .findFirst();
        Resource asked = Resource.newInstance(size);
        gang.ifPresent(job -> asked.setVirtualCores(
                (int) Math.min(size.getVirtualCores(), job.size().vcores())));
        return asked;
    }

    /** CapacityScheduler itself takes over, as {@link #restart}. Gangs hold what they ask for, as they would without Treadle. */
    void restartWithoutTreadle() throws Exception {
        stock = true;
        nodes.values().forEach(node -> node.resize(this::asked));
        restart();
    }

    @Override
    public void close() {
        SteppedResourceManager.stop(resourceManager);
        before.forEach(SteppedResourceManager::stop);
        DefaultMetricsSystem.shutdown();
    }
}
