// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import io.treadle.core.wire.SizingSpec;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;

/** A job with workers and servers of known speed, and an ApplicationMaster that gives up what it is asked for. */
final class SizedJob {
    /** With w workers and p servers of one vcore each an iteration takes 3.6 / w + max(0.2, 0.2 · w / p) seconds. */
    static final ServersModel MODEL = new ServersModel(
            ServersModel.Mode.SYNC,
            ServersModel.Overlap.WAIT_FREE,
            120,
            new ServersModel.Layered(List.of(new ServersModel.Layer(0.01, 0.02, 0, 0, 100e6)), 1e9, 1e9, 0, 0, 0));

    static final long ITERATIONS = 10_000;

    final ApplicationId id;
    private final SchedulerHarness cluster;
    private final GangSpec spec;
    private final MockAM am;
    private final List<Container> held = new ArrayList<>();
    private final Set<ContainerId> asked = new TreeSet<>();
    /** Given up, and still on their nodes as far as the ResourceManager has heard. */
    private final List<Container> unreported = new ArrayList<>();

    private boolean nodesAreSlow;

    private SizedJob(SchedulerHarness cluster, GangSpec spec, MockAM am) {
        this.id = am.getApplicationAttemptId().getApplicationId();
        this.cluster = cluster;
        this.spec = spec;
        this.am = am;
    }

    /**
     * From one worker of a GPU and one server to eight of each.
     *
     * @param weight what its end is worth at most
     * @param vcores the most that all its tasks may have together; 0 for no such bound
     */
    static GangSpec spec(double weight, long vcores) {
        return spec(weight, ResourceVector.of(0, vcores, 0), 1);
    }

    /** @param least of its workers, and of its servers */
    static GangSpec spec(double weight, ResourceVector cap, int least) {
        return new GangSpec(
                List.of(
                        new GangSpec.Group("worker", least, 8, ResourceVector.of(1, 1, 256), List.of()),
                        new GangSpec.Group("ps", least, 8, ResourceVector.of(0, 1, 256), List.of())),
                "",
                0,
                120 * ITERATIONS,
                true,
                0,
                "",
                new SizingSpec(OptionalDouble.of(weight), 0.1, OptionalDouble.empty(), cap));
    }

    /** Users of queue {@code ml} may say what their jobs are worth. */
    static void trust(YarnConfiguration conf) {
        conf.set("yarn.scheduler.capacity.root.ml.treadle.utility.max-weight", "1000");
    }

    /** Its ApplicationMaster asks when what is known of its speed is known to the scheduler. */
    static MockAM start(TestZooKeeper zooKeeper, SchedulerHarness cluster, String queue, GangSpec spec, MockNM node)
            throws Exception {
        ApplicationId id = cluster.submit(queue, spec.toProperties());
        zooKeeper.write(
                ZkPaths.profile(id.toString()),
                new ProfileRecord(id.toString(), "", "", 0, ProfileRecord.Phase.READY, 1, List.of(), 1)
                        .withServers(Optional.of(new ProfileServers(MODEL, List.of(), OptionalDouble.empty())))
                        .toJson());
        Gang gang = cluster.scheduler().gangs().find(id).orElseThrow();
        cluster.awaitTrue(
                "the scheduler knows the job's speed",
                () -> cluster.scheduler().report().job(gang).profile().isPresent());
        return cluster.startApp(id, SchedulerHarness.requests(spec), node);
    }

    static SizedJob obedient(
            TestZooKeeper zooKeeper, SchedulerHarness cluster, String queue, GangSpec spec, MockNM node)
            throws Exception {
        return new SizedJob(cluster, spec, start(zooKeeper, cluster, queue, spec, node));
    }

    /** Takes what it is given, and gives up and asks for again what it is asked for, as a real ApplicationMaster does. */
    void beat() {
        try {
            AllocateResponse answer = am.allocate(List.of(), List.of());
            List<Container> more = answer.getAllocatedContainers();
            held.addAll(more);
            cluster.launch(more);
            if (answer.getPreemptionMessage() != null
                    && answer.getPreemptionMessage().getContract() != null) {
                giveUp(answer.getPreemptionMessage().getContract().getContainers().stream()
                        .map(PreemptionContainer::getId)
                        .collect(Collectors.toSet()));
            }
            held.removeIf(container -> answer.getCompletedContainersStatuses().stream()
                    .anyMatch(status -> status.getContainerId().equals(container.getId())));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void giveUp(Set<ContainerId> wanted) throws Exception {
        List<Container> given = held.stream()
                .filter(container -> wanted.contains(container.getId()))
                .toList();
        held.removeAll(given);
        given.forEach(container -> asked.add(container.getId()));
        if (!given.isEmpty()) {
            am.allocate(asks(), given.stream().map(Container::getId).toList());
            unreported.addAll(given);
            if (!nodesAreSlow) {
                report();
            }
        }
    }

    /** It hears nothing of what runs there, gives it up, and asks for it again. */
    void losesTouchWith(NodeId node) throws Exception {
        giveUp(held.stream()
                .filter(container -> container.getNodeId().equals(node))
                .map(Container::getId)
                .collect(Collectors.toSet()));
    }

    /** Nodes say that its containers are gone only by {@link #report}. */
    void slowNodes() {
        nodesAreSlow = true;
    }

    /** Nodes say that what it has given up is gone. */
    void report() throws Exception {
        cluster.complete(unreported);
        unreported.clear();
    }

    private List<ResourceRequest> asks() {
        List<ResourceRequest> asks = new ArrayList<>();
        for (int i = 0; i < spec.groups().size(); i++) {
            int priority = GangSpec.requestIdOf(i);
            asks.add(ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(priority))
                    .allocationRequestId(priority)
                    .resourceName(ResourceRequest.ANY)
                    .capability(YarnResources.resource(spec.groups().get(i).resources()))
                    .numContainers(spec.groups().get(i).max() - count(priority))
                    .relaxLocality(true)
                    .build());
        }
        return asks;
    }

    private int count(int priority) {
        return (int) held.stream()
                .filter(container -> container.getPriority().getPriority() == priority)
                .count();
    }

    /** Its workers and its servers, such as {@code 5 + 3}. */
    String size() {
        return count(GangSpec.requestIdOf(0)) + " + " + count(GangSpec.requestIdOf(1));
    }

    /** How many containers it was asked for so far. */
    int askedFor() {
        return asked.size();
    }

    /** How many of its tasks run there. */
    long on(NodeId node) {
        return held.stream()
                .filter(container -> container.getNodeId().equals(node))
                .count();
    }

    /** Group and node of each of its tasks, in order. */
    List<String> places() {
        return held.stream()
                .map(container ->
                        spec.groups()
                                        .get(container.getPriority().getPriority() - GangSpec.requestIdOf(0))
                                        .name() + " on " + container.getNodeId())
                .sorted()
                .toList();
    }

    /** It is killed, and its containers with it. */
    void end() throws Exception {
        cluster.resourceManager.killApp(id);
        cluster.complete(held);
        held.clear();
    }

    String reason() {
        return cluster.scheduler().gangs().find(id).orElseThrow().reason();
    }
}
