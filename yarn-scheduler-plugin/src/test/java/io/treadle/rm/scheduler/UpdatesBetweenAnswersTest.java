// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's books of updates are for the thread that answers the ApplicationMaster. The planner and the scheduler's dispatcher come
 * when no answer is under way.
 */
class UpdatesBetweenAnswersTest {
    private SchedulerHarness cluster;
    private MockNM node;
    private MockAM am;
    private Container worker;

    @BeforeEach
    void start() throws Exception {
        cluster = SchedulerHarness.start(SchedulerHarness.settings(false, "fifo+synergy-tune"));
        node = cluster.node(1001, 1, 5, 8192);
        am = cluster.startGang(SchedulerHarness.gang(1, 1, 4, 512), node);
        worker = cluster.awaitRunning(am);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private FiCaSchedulerApp app() {
        return cluster.scheduler()
                .access()
                .app(am.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
    }

    private UpdateContainerRequest decrease() {
        return UpdateContainerRequest.newInstance(
                cluster.scheduler()
                        .getRMContainer(worker.getId())
                        .getContainer()
                        .getVersion(),
                worker.getId(),
                ContainerUpdateType.DECREASE_RESOURCE,
                YarnResources.resource(ResourceVector.of(1, 2, 512)),
                null);
    }

    /** Waits until the thread waits for somebody, or has ended. */
    private void awaitStandstill(Thread thread) throws InterruptedException {
        cluster.awaitTrue(
                "the other thread waits or has ended",
                () -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TERMINATED);
    }

    @Test
    void resizeOfTheSchedulerComesAfterTheAnswer() throws Exception {
        FiCaSchedulerApp app = app();
        ContainerUpdates updates = new ContainerUpdates();
        updates.getDecreaseRequests().add(decrease());
        Thread planner = new Thread(() -> cluster.scheduler().access().update(app, updates), "planner");
        // As Hadoop has it while an ApplicationMaster fetches its updates.
        app.getWriteLock().lock();
        try {
            planner.start();
            awaitStandstill(planner);
            assertTrue(
                    app.getUpdateContext()
                            .checkAndAddToOutstandingDecreases(
                                    decrease(),
                                    cluster.scheduler().getNode(node.getNodeId()),
                                    cluster.scheduler()
                                            .getRMContainer(worker.getId())
                                            .getContainer()),
                    "nothing was entered meanwhile");
        } finally {
            app.getWriteLock().unlock();
        }
        planner.join();
    }

    @Test
    void attemptEndsAfterTheAnswer() throws Exception {
        ApplicationId id = am.getApplicationAttemptId().getApplicationId();
        Gang gang = cluster.scheduler().gangs().find(id).orElseThrow();
        FiCaSchedulerApp app = app();
        ContainerUpdates updates = new ContainerUpdates();
        updates.getDecreaseRequests().add(decrease());
        cluster.scheduler().access().update(app, updates);
        int entries = app.getLiveContainersMap().size();
        CountDownLatch inAnswer = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread heartbeat = new Thread(
                () -> gang.delivery().answer(member -> true, () -> {
                    inAnswer.countDown();
                    await(goOn);
                    return app.pullNewlyDecreasedContainers();
                }),
                "heartbeat");
        heartbeat.start();
        inAnswer.await();
        Thread dispatcher = new Thread(
                () -> cluster.scheduler()
                        .handle(new AppAttemptRemovedSchedulerEvent(
                                am.getApplicationAttemptId(), RMAppAttemptState.KILLED, false)),
                "dispatcher");
        dispatcher.start();
        awaitStandstill(dispatcher);
        assertEquals(entries, app.getLiveContainersMap().size(), "nothing was given up under the answer");
        assertEquals(false, app.isStopped());
        goOn.countDown();
        heartbeat.join();
        dispatcher.join();
        cluster.awaitTrue("nothing is held", () -> {
            cluster.resourceManager.drainEvents();
            return cluster.used().equals(ResourceVector.ZERO);
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
