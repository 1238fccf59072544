// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small cases of {@link Compat#ANALYSIM}, worked out by hand. */
class AnalysimTest {
    /** A turn of 8 GPUs in the first queue is 3250 / 8 s, rounded down: 406 s. */
    @Test
    void turnsAreTakenAndCostEightSeconds(@TempDir Path directory) throws IOException {
        List<JobRun> jobs = run(directory, "1,1,8", "2d-las", "first-fit", "a,1,8,0,1000,", "b,1,8,100,300,");
        // b runs from 406 to 706, and a has 1008 - 406 s left then: less than its second turn.
        assertEquals(1308, jobs.get(0).endMs() / 1000);
        assertEquals(1, jobs.get(0).preemptions());
        assertEquals(706, jobs.get(1).endMs() / 1000);
    }

    @Test
    void aTurnEndsThoughNobodyWaits(@TempDir Path directory) throws IOException {
        List<JobRun> jobs = run(directory, "1,1,8", "2d-las", "first-fit", "a,1,8,0,6000,");
        // Turns end at 406 s, 900 s later, and then each 2250 s: 1306, 3556, 5806. The rest is 6032 - 5806 s.
        assertEquals(4, jobs.get(0).preemptions());
        assertEquals(6032, jobs.get(0).endMs() / 1000);
        assertEquals(0, jobs.get(0).waitedMs());
    }

    /**
     * On two switches of two nodes of 4 GPUs, one GPU of the first is taken.
     *
     * @param job nodes and GPUs of the second job
     */
    @ParameterizedTest
    @CsvSource({
        "first-fit, '2,8', node-2 node-3, 100",
        "best-fit, '2,8', node-1 node-2, 100",
        "best-fit, '1,3', node-0, 100",
        "best-fit, '3,9', node-0 node-1 node-2, 100",
        "first-fit, '3,9', node-0 node-1 node-2, 100",
        "free-gpu, '1,4', node-2, 100",
        "free-gpu, '2,8', node-2 node-3, 100",
        "free-gpu, '3,9', node-2 node-3 node-1, 120",
    })
    void jobsGoToSwitches(String placement, String job, String nodes, long seconds, @TempDir Path directory)
            throws IOException {
        List<JobRun> jobs = run(directory, "2,2,4", "fifo", placement, "a,1,1,0,1000,", "b," + job + ",1,100,");
        assertEquals(List.of(nodes.split(" ")), List.copyOf(jobs.get(1).nodes()));
        assertEquals(1 + seconds, jobs.get(1).endMs() / 1000);
    }

    private static List<JobRun> run(Path directory, String cluster, String policy, String placement, String... jobs)
            throws IOException {
        Path nodes = Files.writeString(
                directory.resolve("cluster.csv"),
                "num_switch,switch_nodes,node_gpu,node_cpu,node_mem\n" + cluster + ",32,256\n");
        Path trace = Files.writeString(
                directory.resolve("jobs.csv"),
                "jid,num_node,num_gpu,submit_time,running_time,model\n" + String.join("\n", jobs) + "\n");
        return Runs.run(trace, nodes.toString(), Runs.options(Compat.ANALYSIM, placement), policy);
    }
}
