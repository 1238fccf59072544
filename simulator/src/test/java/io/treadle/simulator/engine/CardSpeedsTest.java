// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two A100, at the trace's speed, and two T4 at a quarter of it. */
class CardSpeedsTest {
    private static final String CLUSTER =
            """
            treadle-cluster: 1
            nodes:
              - {name: fast, gpus: {model: A100, count: 2}}
              - {name: slow, gpus: {model: T4, count: 2}}
            gpuSpeeds: {T4: 0.25}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private SimCluster cluster() throws IOException {
        return ClusterReader.read(
                Files.writeString(directory.resolve("c.yaml"), CLUSTER).toString());
    }

    private List<TraceJob> jobs(SimCluster cluster, String rows) throws IOException {
        Path file = Files.writeString(
                directory.resolve("t.csv"), "job_id,num_gpu,submit_time,duration,num_inst,gpu_type\n" + rows);
        return Traces.read("pai", file, cluster);
    }

    private static String ends(SimCluster cluster, List<TraceJob> jobs) {
        return Runs.run(new Workload(cluster, jobs), Runs.options(Compat.NONE, "consolidate"), "fifo").stream()
                .map(run -> run.job().id() + " " + run.firstStartMs() / 1000 + ".." + run.endMs() / 1000)
                .collect(Collectors.joining(", "));
    }

    /** 100 s of the trace are 100 s on A100 and 400 s on T4. */
    @Test
    void asFastAsTheModel() throws IOException {
        SimCluster cluster = cluster();
        assertEquals("a 0..100, b 0..400", ends(cluster, jobs(cluster, "a,2,0,100,1,A100\nb,2,0,100,1,T4\n")));
    }

    /** Two tasks of two GPUs each are one on each node, and the one on T4 makes the other wait. */
    @Test
    void asSlowAsTheSlowestTask() throws IOException {
        SimCluster cluster = cluster();
        assertEquals("a 0..400", ends(cluster, jobs(cluster, "a,2,0,100,2,\n")));
    }

    /**
     * Between 0 and 100 s two A100 do 200 GPU-seconds and two T4 a quarter of that: 50. Asked are 2 · 100 = 200 of A100, a
     * load of 1; 1 · 100 = 100 of T4, a load of 2; of any model 1 · 50 = 50. In all 350 / 250 = 1.4.
     */
    @Test
    void loadOfEachModel() throws IOException {
        SimCluster cluster = cluster();
        OfferedLoad load = new OfferedLoad(cluster, jobs(cluster, "a,2,0,100,1,A100\nb,1,0,100,1,T4\nc,1,100,50,1,\n"));
        assertEquals(1.4, load.total(), 1e-12);
        assertEquals(List.of(new ModelLoad("A100", 2, 1, 1.0, 0), new ModelLoad("T4", 2, 1, 2.0, 0)), load.models());
    }
}
