// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An ApplicationMaster whose predecessor could not store all that it had told to runners. */
class AnotherMasterTest {
    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(2, 3, false));

    private void assertGoesOn(List<String> containers, int starts) throws RefusedException {
        for (String container : containers) {
            assertEquals(starts, cluster.runner(container).starts);
            cluster.finish(container, 0, 100, true);
        }
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
    }

    @Test
    void aStartThatWasNotStoredIsFollowedByAnother() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 2);
        cluster.run(5);
        Optional<SavedState> old = cluster.saved;
        cluster.finish(containers.get(0), 1, 20, true);
        cluster.run(5);
        cluster.saved = old;
        cluster.restartMaster(List.of());
        cluster.run(5);
        assertTrue(cluster.master.outcome().isEmpty());
        assertGoesOn(containers, 3);
    }

    @Test
    void workersThatRunBeforeThatWasStoredStartAnew() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 2);
        for (String container : containers) {
            cluster.register(container);
        }
        Optional<SavedState> gathering = cluster.saved;
        cluster.run(5);
        assertEquals(1, cluster.runner(containers.get(0)).starts);
        cluster.saved = gathering;
        cluster.restartMaster(List.of());
        cluster.run(5);
        assertGoesOn(containers, 2);
    }

    @Test
    void aWorkerThatEndedInAStartThatWasNotStoredIsStartedAgain() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 2);
        cluster.run(5);
        Optional<SavedState> old = cluster.saved;
        cluster.finish(containers.get(0), 1, 20, true);
        cluster.run(5);
        cluster.saved = old;
        cluster.restartMaster(List.of());
        for (String container : containers) {
            cluster.register(container);
        }
        cluster.finish(containers.get(0), 0, 20, true);
        assertTrue(cluster.master.outcome().isEmpty());
        cluster.run(5);
        assertGoesOn(containers, 3);
    }

    @Test
    void aJobThatHadEndedIsNotStartedAgain() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, 2);
        cluster.run(5);
        for (String container : containers) {
            cluster.finish(container, 0, 20, true);
        }
        cluster.restartMaster(containers);
        assertTrue(cluster.master.outcome().orElseThrow().succeeded());
        assertTrue(cluster.asked.isEmpty());
        assertEquals("succeeded", cluster.master.status().state());
    }
}
