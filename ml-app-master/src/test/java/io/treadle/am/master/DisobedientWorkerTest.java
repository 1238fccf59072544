// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Workers that do not read resources.json: that is said, and they are measured as they are. */
class DisobedientWorkerTest {
    private static final long MIB = 1 << 20;

    @Test
    void aWorkerThatUsesMoreThanItHasIsNamed() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(2, 2, false));
        List<String> workers = cluster.startGang(2);
        cluster.run(60);
        assertEquals("training", cluster.master.status().note());
        FakeCluster.Runner deaf = cluster.runner(workers.get(1));
        deaf.usesCores = 6;
        deaf.vcores = 4;
        deaf.version++;
        cluster.run(60);
        String note = cluster.master.status().note();
        assertEquals("training; worker 1 does not follow its size: has 4 vcores, uses 6.0", note);
        assertEquals(note, cluster.progress.get(cluster.progress.size() - 1).note(), "the scheduler's page shows it");
        deaf.usesCores = 0;
        cluster.run(60);
        assertEquals("training", cluster.master.status().note());
    }

    @Test
    void itsProfileIsOfWhatItHas() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(1, 2, true));
        cluster.start();
        FakeCluster.Runner deaf = cluster.runner(cluster.grant(1, 1).get(0));
        deaf.usesCores = 6;
        cluster.run(120);
        ProfileRecord profile = cluster.profiles.get(cluster.profiles.size() - 1);
        assertEquals(ProfileRecord.Phase.READY, profile.phase());
        // 6 vcores, 3 and 1: whatever it has, it does 6 · 10 samples a second. So it needs but one.
        assertEquals(
                List.of(1L, 3L, 6L),
                profile.points().stream().map(ProfileRecord.Point::vcores).toList());
        for (ProfileRecord.Point point : profile.points()) {
            assertEquals(60, point.samplesPerSecond(), 3);
        }
    }

    @Test
    void aWorkerThatGivesNoMemoryBackIsNamed() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(1, 2, false));
        String container = cluster.startGang(1).get(0);
        FakeCluster.Runner deaf = cluster.runner(container);
        deaf.data = Optional.of(data(0));
        cluster.master.onMemoryWanted(new MemoryRecord(Map.of(container, new MemoryLimit(7, 1024))));
        cluster.run(20);
        assertEquals("training", cluster.master.status().note());
        cluster.run(20);
        assertEquals(
                "training; worker 0 does not give memory back: 1024 MiB are wanted of its 2048, it has not answered",
                cluster.master.status().note());
        assertTrue(cluster.memory.isEmpty());
        // Its cache keeps to it now, but 1500 MiB and a tenth are resident.
        deaf.data = Optional.of(data(7));
        deaf.residentMiB = 1500;
        cluster.run(2);
        assertTrue(
                cluster.master.status().note().endsWith("it needs 1664"),
                cluster.master.status().note());
        deaf.residentMiB = 300;
        cluster.run(2);
        assertFalse(cluster.master.status().note().contains("memory"));
    }

    private static DataReport data(long memoryVersion) {
        return new DataReport(4096 * MIB, 100, 0, 256, OptionalDouble.empty(), 0, 2000, 100, memoryVersion);
    }
}
