// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.MemoryRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A container shrinks only when its worker has given the memory up. */
class JobMasterMemoryTest {
    private static final long MIB = 1 << 20;

    @Test
    void aWorkerIsAskedAndItsAnswerIsWhatItCanLiveWith() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(1, 2, false));
        String container = cluster.startGang(1).get(0);
        FakeCluster.Runner runner = cluster.runner(container);
        assertEquals(Optional.empty(), runner.last.memory());
        runner.data = Optional.of(data(1500, 0));
        runner.residentMiB = 200;
        cluster.run(2);
        assertTrue(cluster.memory.isEmpty(), "nobody has asked");

        MemoryLimit wanted = new MemoryLimit(7, 1024);
        cluster.master.onMemoryWanted(new MemoryRecord(Map.of(container, wanted)));
        cluster.run(2);
        assertEquals(Optional.of(wanted), runner.last.memory());
        assertTrue(cluster.memory.isEmpty(), "its cache has not given anything up");
        runner.data = Optional.of(data(700, 6));
        cluster.run(2);
        assertTrue(cluster.memory.isEmpty(), "that was about something else");

        runner.data = Optional.of(data(700, 7));
        cluster.run(2);
        assertEquals(wanted, last(cluster, container));
        // 700 MiB in the cache and, of 600 that are resident, a tenth more: 1360 MiB, which is a multiple of 16.
        runner.residentMiB = 600;
        cluster.run(2);
        assertEquals(new MemoryLimit(7, 1360), last(cluster, container));
        // Its cache has become 400 MiB: 400 + 660 = 1060, so 1072.
        runner.data = Optional.of(data(400, 7));
        cluster.run(2);
        assertEquals(new MemoryLimit(7, 1072), last(cluster, container));

        cluster.master.onMemoryWanted(new MemoryRecord(Map.of()));
        cluster.run(2);
        assertEquals(Optional.of(new MemoryLimit(8, 0)), runner.last.memory(), "free to use what it has");
    }

    @Test
    void changesOfMemoryAreInTheLog() throws RefusedException {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(1, 2, false));
        FakeCluster.Runner runner = cluster.runner(cluster.startGang(1).get(0));
        cluster.run(5);
        runner.memoryMiB = 4096;
        runner.version++;
        cluster.run(1);
        var resizes = cluster.master.status().resizes();
        assertEquals(
                List.of("memoryMiB"),
                resizes.stream().map(r -> r.path("resource").asText()).toList());
        assertEquals(2048, resizes.get(0).path("from").asLong());
        assertEquals(4096, resizes.get(0).path("to").asLong());
    }

    private static DataReport data(long cachedMiB, long memoryVersion) {
        return new DataReport(
                4096 * MIB, 100, cachedMiB * MIB, 256, OptionalDouble.empty(), 0, 2000, 100, memoryVersion);
    }

    private static MemoryLimit last(FakeCluster cluster, String container) {
        return Objects.requireNonNull(
                cluster.memory.get(cluster.memory.size() - 1).containers().get(container));
    }
}
