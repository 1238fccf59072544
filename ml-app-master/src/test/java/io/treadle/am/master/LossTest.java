// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.protocol.Directive;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.am.yarn.LostContainer;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.Test;

/** What is the cluster's fault must not cost the job its restarts. */
class LossTest {
    private static final int WORKERS = 4;

    private final FakeCluster cluster = new FakeCluster(FakeCluster.job(WORKERS, 3, false));

    private List<String> startGang() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, WORKERS);
        cluster.run(2);
        return containers;
    }

    @Test
    void anExpiredTokenEndsTheJobWithItsReasonInsteadOfItsRestarts() throws RefusedException {
        List<String> containers = startGang();
        cluster.master.onLost(List.of(new LostContainer(
                containers.get(0),
                -1000,
                false,
                "token (HDFS_DELEGATION_TOKEN token 12 for alice) is expired, current time: 2026-11-26")));
        String reason = cluster.master.outcome().orElseThrow().diagnostics();
        assertTrue(reason.contains("HDFS_DELEGATION_TOKEN token 12 for alice"), reason);
        assertTrue(reason.contains("\nMaybe the delegation token has reached its longest life"), reason);
        assertFalse(reason.contains("maxRestarts"), reason);
    }

    @Test
    void aNodeThatFallsSilentWithAllWorkersCostsNoFailure() throws RefusedException {
        List<String> containers = startGang();
        cluster.run(10);
        containers.forEach(c -> cluster.runner(c).silent = true);
        cluster.run(40);
        assertEquals(containers, cluster.released);
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(0, cluster.saved.orElseThrow().failures());
        List<String> fresh = cluster.grant(1, WORKERS);
        cluster.run(2);
        assertEquals(1, cluster.runner(fresh.get(0)).starts);
        assertEquals(1, cluster.master.status().restarts());
    }

    @Test
    void aNodeThatIsLostWhileTheGangStartsIsOneFailure() throws RefusedException {
        cluster.start();
        List<String> containers = cluster.grant(1, WORKERS);
        containers.forEach(c -> cluster.runner(c).silent = true);
        cluster.run(70);
        assertEquals(containers, cluster.released);
        assertEquals(1, cluster.saved.orElseThrow().failures());
        assertTrue(cluster.master.outcome().isEmpty());
    }

    @Test
    void containersThatNeverComeUpEndTheJobInTheEnd() throws RefusedException {
        cluster.start();
        for (int i = 0; i < 4; i++) {
            assertTrue(cluster.master.outcome().isEmpty());
            cluster.grant(1, WORKERS).forEach(c -> cluster.runner(c).silent = true);
            cluster.run(70);
        }
        assertTrue(cluster.master.outcome().orElseThrow().diagnostics().contains("did not register in 60 s"));
    }

    @Test
    void aNodeThatRefusesAWholeGangIsOneFailure() {
        cluster.start();
        cluster.grant(1, WORKERS).forEach(c -> cluster.master.onStartFailed(c, "no route to host"));
        assertEquals(1, cluster.saved.orElseThrow().failures());
        assertTrue(cluster.master.outcome().isEmpty());
    }

    /** YARN kills containers that exceed their memory. */
    private void beyondItsMemory(List<String> containers) {
        containers.forEach(cluster.runners::remove);
        cluster.master.onLost(containers.stream()
                .map(c -> new LostContainer(
                        c, ContainerExitStatus.KILLED_EXCEEDED_PMEM, false, "running beyond physical memory limits"))
                .toList());
    }

    @Test
    void containersOfOneStartThatDieTogetherAreOneFailure() throws RefusedException {
        beyondItsMemory(startGang());
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(1, cluster.saved.orElseThrow().failures());
        assertEquals(1, cluster.master.status().restarts());
        cluster.grant(1, WORKERS);
        cluster.run(2);
        assertEquals("running", cluster.master.status().state());
    }

    @Test
    void whatYarnReportsLaterOfTheSameStartIsTheSameFailure() throws RefusedException {
        List<String> containers = startGang();
        beyondItsMemory(containers.subList(0, 2));
        cluster.run(1);
        beyondItsMemory(containers.subList(2, 3));
        assertEquals(1, cluster.saved.orElseThrow().failures());
        cluster.grant(1, 3);
        cluster.run(2);
        beyondItsMemory(containers.subList(3, 4));
        assertEquals(2, cluster.saved.orElseThrow().failures(), "it was part of the next start");
    }

    @Test
    void aContainerThatDiesWithItsPeersWorkerIsTheSameFailure() throws RefusedException {
        List<String> containers = startGang();
        cluster.run(20);
        // It misses the connection to its peer before YARN says that the peer's container was killed.
        cluster.finish(containers.get(0), 1, 20, true);
        beyondItsMemory(containers.subList(1, 2));
        assertEquals(1, cluster.saved.orElseThrow().failures());
    }

    @Test
    void containersThatYarnCannotLaunchAreOneFailureForAllOfALaunch() {
        cluster.start();
        for (int launch = 1; launch <= 3; launch++) {
            List<String> containers = cluster.grant(1, WORKERS);
            containers.forEach(c -> cluster.master.onLost(List.of(new LostContainer(
                    c, ContainerExitStatus.INVALID, false, "File does not exist: hdfs://…/data.zip"))));
            assertEquals(launch, cluster.saved.orElseThrow().failures());
            assertTrue(cluster.master.outcome().isEmpty());
        }
        String container = cluster.grant(1, WORKERS).get(0);
        cluster.master.onLost(
                List.of(new LostContainer(container, ContainerExitStatus.INVALID, false, "no such file")));
        assertTrue(cluster.master.outcome().orElseThrow().diagnostics().contains("restarted 3 times already"));
    }

    @Test
    void runnersAreNotSilentWhereTheMasterItselfStoodStill() throws RefusedException {
        List<String> containers = startGang();
        cluster.standStill(300);
        cluster.run(5);
        assertTrue(cluster.released.isEmpty());
        assertEquals(1, cluster.runner(containers.get(0)).starts);
    }

    @Test
    void whatNoNodeThatIsLeftCanHoldIsWaitedForAndThePagesSayWhy() throws RefusedException {
        List<String> containers = startGang();
        cluster.refusal = Optional.of("YARN refuses the containers that are asked for now");
        cluster.lose(containers.get(0), true);
        cluster.run(5);
        assertTrue(cluster.master.outcome().isEmpty());
        String note = cluster.master.status().note();
        assertEquals("has 3 of 4 containers; YARN refuses the containers that are asked for now", note);
        assertEquals(note, cluster.progress.get(cluster.progress.size() - 1).note());
    }

    @Test
    void aNodeThatFallsSilentAfterItsWorkerIsDoneDisturbsNobody() throws RefusedException {
        List<String> containers = startGang();
        cluster.run(10);
        cluster.finish(containers.get(0), 0, 10, true);
        cluster.runner(containers.get(0)).silent = true;
        cluster.run(60);
        assertEquals(1, cluster.runner(containers.get(1)).starts);
        assertEquals(
                Directive.Desired.RUN, cluster.runner(containers.get(1)).last.desired());
        assertEquals(List.of(containers.get(0)), cluster.released);
        assertFalse(cluster.asked.contains("0x1"));
    }
}
