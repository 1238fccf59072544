// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every start and end of 68,503 jobs, as the unmodified HeliosArtifact gives them. */
class HeliosOracleTest {
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "sjf"})
    void startsAndEndsEachJobInTheSameSecond(String policy) {
        Path trace = Reference.file("traces/oracle-helios/jobs.csv.gz");
        Path cluster = Reference.file("traces/oracle-helios/vc_nodes.csv");
        Map<String, List<Long>> expected = new HashMap<>();
        Table.withHeader(trace)
                .forEach(row -> expected.put(
                        row.text("jobname"),
                        List.of(
                                row.whole(policy + "_start", 0, 1L << 40) * 1000,
                                row.whole(policy + "_end", 0, 1L << 40) * 1000)));
        List<JobRun> jobs = Runs.run(trace, cluster.toString(), Runs.options(Compat.HELIOS, "consolidate"), policy);
        assertEquals(68_503, jobs.size());
        for (JobRun job : jobs) {
            assertEquals(
                    expected.get(job.job().id()),
                    List.of(job.firstStartMs(), job.endMs()),
                    () -> policy + " " + job.job().id());
        }
    }
}
