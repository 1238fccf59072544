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

/** Mean completion times of 2,638 Philly jobs as the code of AnalySIM's public predecessor gives them. */
class AnalysimOracleTest {
    /** @param seconds mean from submission to end, rounded */
    @ParameterizedTest
    @CsvSource({
        "fifo, best-fit, 3004143",
        "fifo, first-fit, 3008850",
        "fifo, free-gpu, 3306307",
        "lsf, best-fit, 1816047",
        "sjf, best-fit, 758999",
        "2d-las, best-fit, 1034548",
    })
    void meansAgreeToTheSecond(String policy, String placement, long seconds, @TempDir Path directory)
            throws IOException {
        Path trace = Reference.file("traces/philly/muri_trace4.csv.gz");
        Path cluster = Files.writeString(
                directory.resolve("cluster_info.csv"),
                "num_switch,switch_nodes,node_gpu,node_cpu,node_mem\n2,4,8,64,256\n");
        List<JobRun> jobs = Runs.run(trace, cluster.toString(), Runs.options(Compat.ANALYSIM, placement), policy);
        assertEquals(2638, jobs.size());
        assertEquals(seconds, Math.round(Runs.meanSeconds(jobs)));
    }
}
