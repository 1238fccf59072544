// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workers whose progress lines cannot be true: that is said, and what can be is used. */
class LyingWorkerTest {
    @Test
    void badLinesAreSaidWhileTheyGoOn() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(2, 2, false));
        List<String> workers = cluster.startGang(2);
        cluster.run(10);
        assertEquals("training", cluster.master.status().note());
        FakeCluster.Runner liar = cluster.runner(workers.get(1));
        liar.badLines = Map.of("goes back", 1L);
        cluster.run(30);
        liar.badLines = Map.of("goes back", 1L, "malformed", 1L);
        cluster.run(20);
        String note = cluster.master.status().note();
        assertEquals("training; worker 1 writes bad progress lines, which are left out: goes back, malformed", note);
        assertEquals(note, cluster.progress.get(cluster.progress.size() - 1).note(), "the scheduler's page shows it");
        cluster.run(20);
        assertEquals(
                "training; worker 1 writes bad progress lines, which are left out: malformed",
                cluster.master.status().note(),
                "none has gone back for a minute");
        cluster.run(60);
        assertEquals("training", cluster.master.status().note());
    }

    /** The first count is all that is believed: nothing is measured, and the job goes on at its share. */
    @Test
    void aJobWhoseCountStandsStillHasAProfileWithoutPoints() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(1, 2, true));
        cluster.start();
        FakeCluster.Runner liar = cluster.runner(cluster.grant(1, 1).get(0));
        liar.rate = 0;
        cluster.run(700);
        ProfileRecord profile = cluster.profiles.get(cluster.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, profile.phase());
        assertEquals(
                0,
                profile.speeds().values().stream().mapToDouble(speed -> speed).sum());
        assertEquals(6, liar.vcores, "it is back at the size that it started with");
    }
}
