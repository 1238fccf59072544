// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one job has measured serves the next of its kind, and none of another kind. */
class KnownProfileTest {
    private static final String POLICY = "fifo+synergy-tune";
    private TestZooKeeper zooKeeper;
    private SchedulerHarness cluster;
    /** Tasks that ran when the last round began. */
    private volatile int tasksPlanned;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
        cluster = SchedulerHarness.start(zooKeeper.settings(false, POLICY), this::counted);
    }

    private Policy counted(Policy policy) {
        return new WatchedPolicy(
                policy,
                snapshot -> tasksPlanned = snapshot.jobs().stream()
                        .mapToInt(job -> job.tasks().size())
                        .sum());
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        zooKeeper.close();
    }

    private static GangSpec job(int tasks, long batch, String... models) {
        return new GangSpec(
                List.of(new GangSpec.Group("worker", tasks, tasks, ResourceVector.of(1, 1, 512), List.of(models))),
                "resnet",
                batch,
                0,
                false,
                0,
                "");
    }

    /** As an ApplicationMaster writes it that does not know its GPUs: it saturates at so many vcores. */
    private static ProfileRecord profile(ApplicationId id, String model, long batch, long saturatedAt) {
        return new ProfileRecord(
                id.toString(),
                "resnet",
                model,
                batch,
                ProfileRecord.Phase.READY,
                1,
                List.of(
                        new ProfileRecord.Point(1, 0, 10, 5),
                        new ProfileRecord.Point(saturatedAt, 0, 10.0 * saturatedAt, 5),
                        new ProfileRecord.Point(saturatedAt + 4, 0, 10.0 * saturatedAt, 5)),
                System.currentTimeMillis());
    }

    private static ApplicationId id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }

    private Optional<ProfileRecord> known(ApplicationId id) {
        return zooKeeper.read(ZkPaths.knownProfile(id.toString())).map(text -> ProfileRecord.fromJson("known", text));
    }

    private void runAndMeasure(GangSpec spec, MockNM node, String model, long saturatedAt) throws Exception {
        MockAM am = cluster.startGang(spec, node);
        List<Container> members = cluster.awaitContainers(am);
        measure(am, members, spec, saturatedAt);
        end(am, members);
        awaitKept(am, spec, model);
    }

    private void measure(MockAM am, List<Container> members, GangSpec spec, long saturatedAt) throws Exception {
        measure(am, members, profile(id(am), "", spec.batchSize(), saturatedAt));
    }

    private void measure(MockAM am, List<Container> members, ProfileRecord measured) throws Exception {
        cluster.launch(members);
        zooKeeper.write(ZkPaths.profile(id(am).toString()), measured.toJson());
        cluster.awaitTrue("the scheduler has the profile", () -> cluster.scheduler()
                .report()
                .job(cluster.scheduler().gangs().find(id(am)).orElseThrow())
                .profile()
                .isPresent());
        awaitStarted(am);
    }

    /** Until the planner has told all who want to know: members can be fetched a moment earlier. */
    private void awaitStarted(MockAM am) throws InterruptedException {
        cluster.awaitTrue("the planner has told of the start", () -> cluster.scheduler()
                .gangs()
                .find(id(am))
                .orElseThrow()
                .state()
                .equals(Gang.State.RUNNING));
    }

    private void awaitKept(MockAM am, GangSpec spec, String model) throws InterruptedException {
        String stored = ZkPaths.storedProfile(cluster.app(id(am)).getUser(), "resnet", model, spec.batchSize());
        cluster.awaitTrue("the profile is kept under " + stored, () -> zooKeeper
                .read(stored)
                .filter(text -> ProfileRecord.fromJson(stored, text).gpuModel().equals(model))
                .isPresent());
    }

    private void end(MockAM am, List<Container> members) throws Exception {
        cluster.resourceManager.killApp(id(am));
        cluster.resourceManager.waitForState(id(am), RMAppState.KILLED);
        cluster.complete(members);
    }

    @Test
    void jobsOfOneTagOnTwoModelsShareNoProfile() throws Exception {
        MockNM fast = cluster.node(1001, 1, 9, 8192);
        MockNM slow = cluster.node(1002, 1, 9, 8192);
        zooKeeper.devices(cluster, fast, "A100", 1);
        zooKeeper.devices(cluster, slow, "T4", 1);
        runAndMeasure(job(1, 16, "A100"), fast, "A100", 3);
        runAndMeasure(job(1, 16, "T4"), slow, "T4", 2);

        MockAM onSlow = cluster.startGang(job(1, 16, "T4"), slow);
        List<Container> held = cluster.awaitContainers(onSlow);
        cluster.launch(held);
        cluster.awaitTrue(
                "the T4's own profile is offered", () -> known(id(onSlow)).isPresent());
        assertEquals("T4", known(id(onSlow)).orElseThrow().gpuModel());
        end(onSlow, held);

        // It accepts both, so nothing is known before it is placed.
        MockAM any = cluster.startGang(job(1, 16), fast);
        Container container = cluster.awaitContainers(any).get(0);
        String model = container.getNodeId().equals(fast.getNodeId()) ? "A100" : "T4";
        cluster.launch(List.of(container));
        cluster.awaitTrue(
                "the profile of its GPU is offered",
                () -> known(id(any)).filter(p -> p.gpuModel().equals(model)).isPresent());
        long best = model.equals("A100") ? 3 : 2;
        cluster.awaitTrue("the scheduler sizes it by that profile", () -> vcores(any, container) == best);
    }

    /** An A100's curve says 3 vcores; the T4's share is what the ApplicationMaster's one leaves of its 9. */
    @Test
    void onAModelThatNobodyHasMeasuredItKeepsItsShare() throws Exception {
        MockNM fast = cluster.node(1001, 1, 9, 8192);
        MockNM slow = cluster.node(1002, 1, 9, 8192);
        zooKeeper.devices(cluster, fast, "A100", 1);
        zooKeeper.devices(cluster, slow, "T4", 1);
        runAndMeasure(job(1, 16, "A100"), fast, "A100", 3);

        MockAM first = cluster.startGang(job(1, 16, "T4"), slow);
        Container onSlow = cluster.awaitContainers(first).get(0);
        cluster.launch(List.of(onSlow));
        // What comes after it is sized by the curve, so that the rounds have seen both.
        MockAM second = cluster.startGang(job(1, 16, "A100"), fast);
        Container onFast = cluster.awaitContainers(second).get(0);
        cluster.launch(List.of(onFast));
        cluster.awaitTrue("the A100's own profile sizes it", () -> vcores(second, onFast) == 3);
        assertEquals(Optional.empty(), known(id(first)));
        assertEquals(slow.getNodeId(), onSlow.getNodeId());
        assertTrue(vcores(first, onSlow) > 3, () -> vcores(first, onSlow) + " vcores");
    }

    private int vcores(MockAM am, Container container) {
        pull(am);
        return cluster.scheduler()
                .getRMContainer(container.getId())
                .getAllocatedResource()
                .getVirtualCores();
    }

    @Test
    void gangOverTwoModelsIsOfNeither() throws Exception {
        MockNM fast = cluster.node(1001, 1, 9, 8192);
        MockNM slow = cluster.node(1002, 1, 9, 8192);
        zooKeeper.devices(cluster, fast, "A100", 1);
        zooKeeper.devices(cluster, slow, "T4", 1);
        runAndMeasure(job(1, 16, "A100"), fast, "A100", 3);
        runAndMeasure(job(1, 16, "T4"), slow, "T4", 2);
        runAndMeasure(job(2, 16), fast, "A100+T4", 4);
    }

    /** So they do in every job, and a round may come between. */
    @Test
    void gangWhoseTasksEndOneByOneIsStillOfBoth() throws Exception {
        MockNM fast = cluster.node(1001, 1, 9, 8192);
        MockNM slow = cluster.node(1002, 1, 9, 8192);
        zooKeeper.devices(cluster, fast, "A100", 1);
        zooKeeper.devices(cluster, slow, "T4", 1);
        GangSpec spec = job(2, 16);
        MockAM am = cluster.startGang(spec, fast);
        List<Container> members = cluster.awaitContainers(am);
        measure(am, members, spec, 4);
        cluster.complete(members.subList(0, 1));
        cluster.awaitTrue("a round sees one task", () -> tasksPlanned == 1);
        end(am, members.subList(1, 2));
        awaitKept(am, spec, "A100+T4");
    }

    /** A failover in the middle of profiling left a point or two: the next job of the tag would believe them. */
    @Test
    void profileThatWasCutOffIsNotKept() throws Exception {
        MockNM node = cluster.node(1001, 1, 9, 8192);
        zooKeeper.devices(cluster, node, "A100", 1);
        GangSpec spec = job(1, 16);
        MockAM am = cluster.startGang(spec, node);
        List<Container> members = cluster.awaitContainers(am);
        measure(am, members, profile(id(am), "", 16, 3).withComplete(false));
        String user = cluster.app(id(am)).getUser();
        end(am, members);
        // Profiles are kept one after the other, in the order in which their jobs end.
        runAndMeasure(job(1, 64), node, "A100", 5);
        assertEquals(Optional.empty(), zooKeeper.read(ZkPaths.storedProfile(user, "resnet", "A100", 16)));
    }

    @Test
    void anotherBatchSizeIsAnotherKind() throws Exception {
        MockNM node = cluster.node(1001, 1, 9, 8192);
        zooKeeper.devices(cluster, node, "A100", 1);
        runAndMeasure(job(1, 16), node, "A100", 3);
        runAndMeasure(job(1, 64), node, "A100", 5);
        MockAM am = cluster.startGang(job(1, 16), node);
        // The cluster has one model only: the profile is known before the gang is placed.
        Container container = cluster.awaitContainers(am).get(0);
        cluster.launch(List.of(container));
        cluster.awaitTrue("the profile is offered", () -> known(id(am)).isPresent());
        assertEquals(16, known(id(am)).orElseThrow().batchSize());
        cluster.awaitTrue("3 vcores, by the profile of batch size 16", () -> vcores(am, container) == 3);
    }

    private void pull(MockAM am) {
        try {
            cluster.pull(am);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
