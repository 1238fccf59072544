// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The ResourceManager wants containers back: workers stop before they are killed. */
class StopTest {
    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(3, 2, false));

    private List<String> stopGang() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 3);
        cluster.run(10);
        cluster.master.onPreemptionMessage(Set.of(containers.get(1), containers.get(2), "another's"));
        cluster.run(1);
        return containers;
    }

    private WorkerCommand command(String container) {
        return cluster.runner(container).last.command().orElseThrow();
    }

    @Test
    void allWorkersAreAskedToStopByADeadline() throws RefusedException {
        List<String> containers = stopGang();
        for (String container : containers) {
            assertEquals(WorkerCommand.Command.STOP, command(container).command());
            assertTrue(command(container).deadlineMs() > cluster.wallMs());
        }
        WorkerCommand first = command(containers.get(0));
        cluster.master.onPreemptionMessage(Set.of(containers.get(0)));
        cluster.run(1);
        assertEquals(first, command(containers.get(0)), "asking again is no new command");
    }

    @Test
    void containersAreGivenBackWhenAllHaveStoppedAndThatIsNoFailureAndNoSuccess() throws RefusedException {
        List<String> containers = stopGang();
        cluster.finish(containers.get(0), 0, 10, true);
        // Its peer is gone.
        cluster.finish(containers.get(1), 1, 10, true);
        cluster.run(1);
        assertTrue(cluster.released.isEmpty());
        cluster.runner(containers.get(2)).answered = Long.MAX_VALUE;
        cluster.run(1);
        assertEquals(Set.of(containers.get(1), containers.get(2)), Set.copyOf(cluster.released));
        assertEquals(List.of("0x3", "0x1", "0x1"), cluster.asked);
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(0, cluster.saved.orElseThrow().failures());
        List<String> fresh = cluster.grant(1, 2);
        cluster.run(2);
        assertEquals(2, cluster.runner(containers.get(0)).starts);
        assertEquals(1, cluster.runner(fresh.get(0)).starts);
    }

    @Test
    void workersThatKnowNoCommandsAreNotWaitedForBeyondTheDeadline() throws RefusedException {
        List<String> containers = stopGang();
        cluster.run(12);
        assertEquals(Set.of(containers.get(1), containers.get(2)), Set.copyOf(cluster.released));
    }

    @Test
    void anotherMasterTakesAStoppedWorkerForNoSuccess() throws RefusedException {
        List<String> containers = stopGang();
        cluster.restartMaster(List.of());
        for (String container : containers) {
            cluster.register(container);
        }
        cluster.finish(containers.get(0), 0, 10, true);
        cluster.run(5);
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(2, cluster.runner(containers.get(0)).starts);
        assertEquals(0, cluster.saved.orElseThrow().failures());
    }
}
