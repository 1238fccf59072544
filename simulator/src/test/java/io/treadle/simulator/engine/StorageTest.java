// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Trace;
import io.treadle.simulator.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that read, on nodes and file systems of so many MB/s: ends worked out by hand. */
class StorageTest {
    private static final String COLUMNS = "# treadle-trace 1\n"
            + "job_id,submit_s,gpus,duration_s,dataset_mib,epochs,working_mib,cacheable,vcore_speeds,storage_mbps\n";
    /** 40,000 MB. */
    private static final String DATASET = "38146.97265625";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** Nodes of 4 GPUs and 8 vcores. */
    private static String nodes(int count, String rest) {
        return "treadle-cluster: 1\nsharing: cpu-and-memory\nnodes:\n  - {name: n, count: " + count
                + ", vcores: 8, gpus: 4" + rest + "}\n";
    }

    private Trace read(String cluster, String... rows) throws IOException {
        Path file = Files.writeString(directory.resolve("trace.csv"), COLUMNS + String.join("\n", rows) + "\n");
        return Traces.read("auto", file, cluster(cluster), Experiment.DEFAULT, false);
    }

    private SimCluster cluster(String text) throws IOException {
        return ClusterReader.read(
                Files.writeString(directory.resolve("cluster.yaml"), text).toString());
    }

    /** Ends in ms, of jobs in order of submission; each run is held to all rules. */
    private List<Long> ends(String policy, String cluster, String... rows) throws IOException {
        return Runs.run(read(cluster, rows).workload(), Runs.options(Compat.NONE, "auto"), policy).stream()
                .map(JobRun::endMs)
                .toList();
    }

    /**
     * 40,000 MB once in 100 s are 400 MB/s. A job of one GPU of four has 100 of the node's 400 MB/s and 2 of its 8 GiB, which
     * hold 2,147.483648 MB: 37,852.516352 MB ÷ 100 MB/s = 378.525 s. With disks twice as fast it takes half of that.
     */
    @Test
    void disksTwiceAsFast() throws IOException {
        String job = "a,0,1,100," + DATASET + ",1,,,,";
        assertEquals(List.of(378_526L), ends("fifo+proportional", nodes(1, ", memory: 8Gi, storageMBps: 400"), job));
        assertEquals(List.of(189_263L), ends("fifo+proportional", nodes(1, ", memory: 8Gi, storageMBps: 800"), job));
        // Alone it gets all that it can use: it waits for nothing.
        assertEquals(
                List.of(100_000L), ends("fifo+synergy-balanced", nodes(1, ", memory: 8Gi, storageMBps: 400"), job));
    }

    /** 10,000 MB four times in 100 s. A quarter of 16 GiB, less 1 GiB that it works with, holds 3,221.225472 MB of it. */
    @Test
    void workingMemoryIsNoCacheAndSomeDataIsNotKept() throws IOException {
        String node = nodes(1, ", memory: 16Gi, storageMBps: 400");
        String dataset = "9536.7431640625,4";
        // (10,000 − 3,221.225472) × 4 ÷ 100 MB/s = 271.151 s, and a ms as the model's points of memory are whole MiB.
        assertEquals(List.of(271_152L), ends("fifo+proportional", node, "a,0,1,100," + dataset + ",1024,,,"));
        // No more than a tenth, 1,000 MB, may be kept: 9,000 × 4 ÷ 100 = 360 s, rounded up.
        assertEquals(List.of(360_001L), ends("fifo+proportional", node, "a,0,1,100," + dataset + ",,0.1,,"));
    }

    /** A share of 2 vcores is as fast as half of what 4 are; two tasks of whole nodes read a half of the dataset each. */
    @Test
    void vcoresAndTasks() throws IOException {
        String node = nodes(2, ", storageMBps: 400");
        assertEquals(List.of(200_000L), ends("fifo+proportional", node, "a,0,1,100,,,,,2:0.5|4:1,"));
        assertEquals(List.of(100_000L), ends("fifo+synergy-balanced", node, "a,0,1,100,,,,,2:0.5|4:1,"));
        // 80,000 MB in 50 s by two tasks: each reads 40,000 at 400 MB/s.
        assertEquals(List.of(100_000L), ends("fifo+proportional", node, "a,0,8,50," + DATASET + ",2,,,,"));
    }

    /**
     * Two nodes that could read 400 MB/s each read 500 together: a job on each has 250. 8 GiB hold 8,589.934592 MB, the rest
     * takes 31,410.065408 ÷ 250 = 125.640 s.
     */
    @Test
    void sharedFileSystem() throws IOException {
        String cluster = nodes(2, ", memory: 8Gi, storageMBps: 400");
        String[] jobs = {"a,0,4,100," + DATASET + ",1,,,,", "b,0,4,100," + DATASET + ",1,,,,"};
        assertEquals(List.of(100_000L, 100_000L), ends("fifo+synergy-balanced", cluster, jobs));
        String shared = cluster + "sharedStorageMBps: 500\n";
        for (String policy : List.of("fifo+proportional", "fifo+synergy-balanced", "fifo+synergy-opt")) {
            assertEquals(List.of(125_641L, 125_641L), ends(policy, shared, jobs), policy);
        }
    }

    /** Jobs that say what they need hold it, in shares or not: 300 of 400 MB/s leave nothing for the next. */
    @Test
    void asksAreHeld() throws IOException {
        String cluster = nodes(1, ", storageMBps: 400");
        String alone = cluster.replace("cpu-and-memory", "nothing");
        String[] jobs = {"a,0,1,100,,,,,,300", "b,0,1,100,,,,,,300", "c,0,1,100,,,,,,100"};
        assertEquals(List.of(100_000L, 200_000L, 100_000L), ends("fifo", alone, jobs));
        assertEquals(List.of(100_000L, 200_000L, 100_000L), ends("fifo+synergy-balanced", cluster, jobs));
        String shared = nodes(2, ", storageMBps: 400").replace("cpu-and-memory", "nothing");
        assertEquals(List.of(100_000L, 100_000L, 100_000L), ends("fifo", shared, jobs));
        assertEquals(List.of(100_000L, 200_000L, 100_000L), ends("fifo", shared + "sharedStorageMBps: 500\n", jobs));
    }

    @Test
    void asksThatNothingCanMeet() throws IOException {
        String cluster = nodes(2, ", storageMBps: 400");
        assertEquals(
                "job 'a' asks for 1 tasks with 1 GPU, 401 MB/s, the empty nodes of the cluster have room for 0: it"
                        + " could never run.",
                refused(cluster, "a,0,1,100,,,,,,401"));
        assertEquals(
                "job 'a' asks for 700 MB/s, the shared file system gives the cluster 600 MB/s: it could never run.",
                refused(cluster + "sharedStorageMBps: 600\n", "a,0,8,100,,,,,,700"));
    }

    private String refused(String cluster, String row) throws IOException {
        Trace trace = read(cluster, row);
        return String.valueOf(assertThrows(
                        InputException.class,
                        () -> new OfferedLoad(trace.workload().cluster(), trace.jobs()))
                .getMessage());
    }

    @Test
    void whatDoesNotCountIsSaid() throws IOException {
        String[] jobs = {"a,0,1,100," + DATASET + ",1,,,1:1,", "b,0,1,100,,,,,,300"};
        String untold = nodes(1, "");
        assertEquals(
                List.of(
                        "1 jobs ask for storage bandwidth, which does not count: the cluster does not tell its nodes'"
                                + " storageMBps",
                        "1 jobs read a dataset, which does not count: not all nodes with GPUs tell their storageMBps"),
                read(untold, jobs).notes());
        assertEquals(List.of(100_000L, 100_000L), ends("fifo+synergy-balanced", untold, jobs));
        String alone = nodes(1, ", storageMBps: 400").replace("cpu-and-memory", "nothing");
        assertEquals(
                List.of("1 jobs tell how their speed depends on vcores or a dataset, which does not count: it does"
                        + " where CPU and memory go in shares (sharing: cpu-and-memory) and all nodes with GPUs"
                        + " tell their vcores"),
                read(alone, jobs).notes());
        assertEquals(List.of(100_000L, 100_000L), ends("fifo", alone, jobs));
    }
}
