// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small case of {@link Compat#MURI}, worked out by hand. */
class MuriTest {
    private static final String COLUMNS =
            "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,"
                    + "iteration_time,resource_time_0,resource_time_1,resource_time_2,priority\n";

    /** On 8 GPUs; an a2c on 8 takes 46 s to start, iterations of 1 s take 1.015 s. */
    @Test
    void whatRanWhenAnotherCameLosesTheTimeOfItsStart(@TempDir Path directory) throws IOException {
        Path cluster = Files.writeString(
                directory.resolve("one.csv"),
                "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n1,1,8,64,256\n");
        Path trace = Files.writeString(
                directory.resolve("trace.csv"),
                COLUMNS
                        + "0,8,0,1000,a2c,64,1000000,0,1000,1,1,1,0\n"
                        + "1,8,200000,200,a2c,64,200000,0,1000,1,1,1,0\n"
                        + "2,8,210000,2000,a2c,64,2000000,0,1000,1,1,1,0\n");
        List<JobRun> jobs = Runs.run(trace, cluster.toString(), Runs.options(Compat.MURI, "first-fit"), "srtf");
        // 0 does 200 - 46 s of its 1015 s, then makes way for 1, which does nothing in the 10 s until 2 comes.
        assertEquals(1, jobs.get(0).preemptions());
        assertEquals(210_000 + 203_000, jobs.get(1).endMs());
        assertEquals(0, jobs.get(1).preemptions());
        assertEquals(413_000 + 1_015_000 - 154_000, jobs.get(0).endMs());
        assertEquals(1_274_000 + 2_030_000, jobs.get(2).endMs());
    }
}
