// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Energy is measured after the speed, by power of containers, and once. */
class JobMasterEnergyTest {
    private static ProfileRecord last(FakeCluster cluster) {
        return cluster.profiles.get(cluster.profiles.size() - 1);
    }

    private static FakeCluster metered(int workers, boolean profiled) {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(workers, 2, profiled));
        cluster.metered = true;
        cluster.start();
        cluster.grant(1, workers);
        return cluster;
    }

    @Test
    void capsAreSteppedThroughWhileTheRecordSaysProfiling() throws RefusedException {
        FakeCluster cluster = metered(2, true);
        for (int i = 0; i < 600 && cluster.runner("c1").watts == 0; i++) {
            cluster.run(1);
        }
        assertEquals(ProfileRecord.Phase.PROFILING, last(cluster).phase());
        assertTrue(last(cluster).points().size() >= 4, "the speed is known by then");
        assertTrue(
                cluster.master.status().note().startsWith("measuring energy at"),
                cluster.master.status().note());
        int resizes = cluster.resized.size();
        cluster.run(60);
        assertEquals(
                List.of("c1 0->240", "c2 0->240", "c1 240->160", "c2 240->160", "c1 160->0", "c2 160->0"),
                cluster.capped);
        assertEquals(resizes, cluster.resized.size(), "vcores stay as they are");
        ProfileRecord ready = last(cluster);
        assertEquals(ProfileRecord.Phase.READY, ready.phase());
        assertEquals(3, ready.energy().size());
        double speed = 20.0 * cluster.runner("c1").vcores;
        for (EnergyPoint p : ready.energy()) {
            double expected = speed * (0.5 + 0.5 * p.capWatts() / 400);
            assertEquals(expected, p.samplesPerSecond(), 0.02 * expected);
            assertEquals(2 * 0.75 * p.capWatts(), p.watts(), 0.02 * p.watts());
            assertEquals(2, p.gpus());
            assertEquals(2, p.nodes());
            assertEquals(32, p.batch());
        }
        assertTrue(
                ready.points().stream().allMatch(p -> Math.abs(p.samplesPerSecond() / (20.0 * p.vcores()) - 1) < 0.1),
                "no speed is of a cap");
        String energy = cluster.master.status().energy().orElseThrow().describe();
        assertTrue(energy.matches("[0-9.]+ kJ \\([0-9.]+ m?J per sample\\), 600 W, cap 400 W per GPU"), energy);
    }

    @Test
    void aCapOfTheSchedulerIsNoDrift() throws RefusedException {
        FakeCluster cluster = metered(1, true);
        cluster.run(180);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        Map<Long, Double> speeds = last(cluster).speeds();
        FakeCluster.Runner runner = cluster.runner("c1");
        runner.watts = 100;
        runner.version++;
        int asked = cluster.capped.size();
        cluster.run(1500);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(speeds, last(cluster).speeds());
        assertEquals(asked, cluster.capped.size(), "from then on only the scheduler caps it");
        assertEquals(4, last(cluster).energy().size());
    }

    @Test
    void nodesThatOnlyObserveEndItWithANote() throws RefusedException {
        FakeCluster cluster = metered(1, true);
        cluster.caps = false;
        cluster.run(240);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
        assertEquals(1, last(cluster).energy().size());
        assertEquals(0, cluster.runner("c1").watts, "taken back");
        assertTrue(
                cluster.master.status().note().contains("was not in force"),
                cluster.master.status().note());
    }

    @Test
    void whatIsKnownIsNotMeasuredAgainAndNotLost() throws RefusedException {
        FakeCluster first = metered(1, true);
        first.run(180);
        FakeCluster second = new FakeCluster(FakeCluster.job(1, 2, true));
        second.metered = true;
        second.master.start(Optional.empty(), List.of());
        second.grant(1, 1);
        second.master.onKnownProfile(Optional.of(last(first)));
        second.run(60);
        assertTrue(second.capped.isEmpty());
        assertEquals(ProfileRecord.Phase.READY, last(second).phase());
        assertEquals(3, last(second).energy().size());
    }

    @Test
    void theNextApplicationMasterTakesTheCapBack() throws RefusedException {
        FakeCluster cluster = metered(1, true);
        for (int i = 0; i < 600 && cluster.runner("c1").watts == 0; i++) {
            cluster.run(1);
        }
        cluster.restartMaster(List.of());
        cluster.run(60);
        assertEquals(0, cluster.runner("c1").watts);
        assertEquals(ProfileRecord.Phase.READY, last(cluster).phase());
    }

    @Test
    void jobsThatAreNotProfiledAreMeteredOnly() throws RefusedException {
        FakeCluster cluster = metered(1, false);
        cluster.run(60);
        assertTrue(cluster.capped.isEmpty());
        assertEquals(1, last(cluster).energy().size());
        FakeCluster dark = new FakeCluster(FakeCluster.job(1, 2, true));
        dark.startGang(1);
        dark.run(60);
        assertFalse(dark.master.status().energy().isPresent());
    }
}
