// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job gets another size, and that fails half-way: it goes on with the size that it had. */
class HalfRescaledTest {
    private final FakeCluster cluster = new FakeCluster(
            FakeCluster.job(List.of(FakeCluster.group("worker", 3, 2, 0), FakeCluster.group("ps", 2, 1, 0)), 3, false));

    /** Two workers and a server that train. */
    private List<String> start() throws RefusedException {
        cluster.start();
        List<String> containers = new ArrayList<>(cluster.grant(1, 2));
        containers.addAll(cluster.grant(2, 1));
        cluster.run(10);
        assertStarts(1, containers);
        return containers;
    }

    private void assertStarts(int starts, List<String> containers) {
        for (String container : containers) {
            assertEquals(starts, cluster.runner(container).starts, container);
        }
    }

    @Test
    void aNewTaskWhoseRunnerNeverComesDisturbsNobody() throws RefusedException {
        List<String> old = start();
        String comes = cluster.grant(2, 1).get(0);
        cluster.runner(comes).silent = true;
        cluster.run(70);
        assertEquals(List.of(comes), cluster.released);
        assertStarts(1, old);
        assertEquals(List.of("0x3", "1x2", "1x1"), cluster.asked, "and it is asked for again");
    }

    @Test
    void aNewTaskThatIsLostBeforeTheOthersHaveStoppedDisturbsNobody() throws RefusedException {
        List<String> old = start();
        List<String> comes =
                List.of(cluster.grant(1, 1).get(0), cluster.grant(2, 1).get(0));
        cluster.runner(comes.get(1)).silent = true;
        cluster.run(5);
        cluster.lose(comes.get(1), true);
        cluster.lose(comes.get(0), true);
        cluster.run(20);
        assertStarts(1, old);
        assertEquals(0, cluster.master.status().restarts());
    }

    @Test
    void aNewTaskThatIsLostWhileTheOthersStopLeavesThemTheOldSize() throws RefusedException {
        List<String> old = start();
        String comes = cluster.grant(2, 1).get(0);
        cluster.run(1);
        assertEquals(
                WorkerCommand.Command.RESCALE,
                cluster.runner(old.get(0)).last.command().orElseThrow().command());
        cluster.lose(comes, true);
        old.forEach(container -> cluster.runner(container).answered = Long.MAX_VALUE);
        cluster.run(10);
        assertStarts(2, old);
        assertEquals(2, cluster.assignment(old.get(0)).groupSize());
        assertEquals(0, cluster.saved.orElseThrow().failures());
    }
}
