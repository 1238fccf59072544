// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.junit.jupiter.api.Test;

/** ResourceManager and ApplicationMaster are started again together: nodes register one after the other. */
class InheritedContainersTest {
    private static final long FOR_LONG_MS = 3_600_000;

    private final YarnEvents events = new YarnEvents(() -> {});
    /** Never started: nothing is asked of a ResourceManager here. */
    private final YarnRmGateway gateway = new YarnRmGateway(
            AMRMClientAsync.<ContainerRequest>createAMRMClientAsync(1000, events),
            new RmLink(1000, 0, System::nanoTime),
            List.of(Resource.newInstance(1024, 1)));

    private static ContainerId id(int number) {
        return ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
    }

    private static String name(int number) {
        return id(number).toString();
    }

    private static Container container(int number) {
        return Container.newInstance(
                id(number),
                NodeId.newInstance("n1", 1),
                "n1:8042",
                Resource.newInstance(1024, 1),
                Priority.newInstance(1),
                null);
    }

    private static List<String> names(List<Container> containers) {
        return containers.stream().map(c -> c.getId().toString()).toList();
    }

    @Test
    void areWaitedForUntilTheyComeOrHaveEnded() throws Exception {
        FutureTask<List<Container>> waits =
                new FutureTask<>(() -> events.awaitInherited(Set.of(name(2), name(3), name(4)), FOR_LONG_MS));
        new Thread(waits, "master").start();
        events.onContainersReceivedFromPreviousAttempts(List.of(container(2)));
        events.onContainersCompleted(List.of(ContainerStatus.newInstance(id(4), ContainerState.COMPLETE, "gone", 1)));
        events.onContainersReceivedFromPreviousAttempts(List.of(container(3)));
        assertEquals(List.of(name(2), name(3)), names(waits.get()));
        // The application hears of the end.
        ListeningApplication application = new ListeningApplication(Set.of());
        events.connect(gateway, application);
        assertEquals(List.of(name(4)), application.lost);
    }

    @Test
    void thatNeverComeAreWaitedForOnlySoLong() throws Exception {
        assertEquals(List.of(), events.awaitInherited(Set.of(name(2)), 1));
    }

    @Test
    void areNotWaitedForWhereTheResourceManagerEndsThisAttempt() throws Exception {
        events.onShutdownRequest();
        assertEquals(List.of(), events.awaitInherited(Set.of(name(2)), FOR_LONG_MS));
    }

    /** Between the wait and the start of the application. */
    @Test
    void thatComeLaterAreReleasedOrTheApplicationsOwn() throws Exception {
        assertEquals(List.of(), events.awaitInherited(Set.of(), FOR_LONG_MS));
        events.onContainersReceivedFromPreviousAttempts(List.of(container(2), container(3)));
        events.connect(gateway, new ListeningApplication(Set.of(name(2))));
        assertEquals(id(2), gateway.container(name(2)).getId());
        assertThrows(IllegalStateException.class, () -> gateway.container(name(3)));
    }
}
