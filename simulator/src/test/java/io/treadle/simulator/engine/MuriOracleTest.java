// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mean completion times that Muri's authors published for two virtual clusters of Philly on 8 nodes of 8 GPUs. */
class MuriOracleTest {
    /**
     * @param seconds mean from submission to end, as published
     * @param apart how far from it, as a part of it: our jobs end in whole milliseconds, theirs anywhere, and of two that
     *     are as short the other may go first, with all that follows
     */
    @ParameterizedTest
    @CsvSource({
        "muri_trace1, 1494, srtf, 1370603.198, 1e-7",
        "muri_trace1, 1494, srsf, 980140.5699, 1e-7",
        "muri_trace2, 5755, srtf, 2665607.375, 4e-3",
        "muri_trace2, 5755, srsf, 2213949.687, 1e-5",
    })
    void meansAgree(String name, int count, String policy, double seconds, double apart, @TempDir Path directory)
            throws IOException {
        Path trace = Reference.file("traces/philly/" + name + ".csv.gz");
        Path cluster = Files.writeString(
                directory.resolve("n8g8.csv"),
                "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n1,8,8,64,256\n");
        List<JobRun> jobs = Runs.run(trace, cluster.toString(), Runs.options(Compat.MURI, "first-fit"), policy);
        assertEquals(count, jobs.size());
        assertEquals(seconds, Runs.meanSeconds(jobs), apart * seconds);
    }
}
