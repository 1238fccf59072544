// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.am.yarn.RmLink;
import io.treadle.am.yarn.YarnEvents;
import io.treadle.am.yarn.YarnRmGateway;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.junit.jupiter.api.Test;

class YarnEventsTest {
    private static final ApplicationAttemptId ATTEMPT =
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);

    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(2, 3, false));
    private final YarnEvents events = new YarnEvents(() -> {});
    /** Never started: nothing is asked of a ResourceManager here. */
    private final YarnRmGateway rm = new YarnRmGateway(
            AMRMClientAsync.<ContainerRequest>createAMRMClientAsync(1000, events),
            new RmLink(1000, 0, System::nanoTime),
            List.of(Resource.newInstance(1, 1)));

    private static ContainerId id(int number) {
        return ContainerId.newContainerId(ATTEMPT, number);
    }

    private static Container container(int number) {
        Container container = Container.newInstance(
                id(number),
                NodeId.newInstance("n1", 1),
                "n1:8042",
                Resource.newInstance(512, 1),
                Priority.newInstance(1),
                null);
        container.setAllocationRequestId(1);
        return container;
    }

    private static ContainerStatus ended(int number) {
        return ContainerStatus.newInstance(id(number), ContainerState.COMPLETE, "gone", ContainerExitStatus.ABORTED);
    }

    @Test
    void whatComesBeforeTheJobIsKeptForIt() {
        cluster.start();
        events.onContainersAllocated(List.of(container(2), container(3)));
        events.onContainersCompleted(List.of(ended(2)));
        assertEquals(List.of("0x2"), cluster.asked);
        events.connect(rm, cluster.master);
        assertEquals(List.of("0x2", "0x1"), cluster.asked);
        assertEquals(Set.of(id(2).toString(), id(3).toString()), cluster.runners.keySet());
        events.onContainersCompleted(List.of(ended(3)));
        assertEquals(List.of("0x2", "0x1", "0x1"), cluster.asked);
    }

    @Test
    void thePreemptionMessageNamesItsContainers() throws RefusedException {
        cluster.start();
        events.connect(rm, cluster.master);
        events.onContainersAllocated(List.of(container(2), container(3)));
        cluster.run(5);
        PreemptionMessage message = PreemptionMessage.newInstance(
                null, PreemptionContract.newInstance(List.of(), Set.of(PreemptionContainer.newInstance(id(3)))));
        events.onPreemptionMessageReceived(message);
        cluster.run(1);
        assertEquals(
                WorkerCommand.Command.STOP,
                cluster.runner(id(2).toString()).last.command().orElseThrow().command());
        cluster.run(12);
        assertEquals(List.of(id(3).toString()), cluster.released);
    }
}
