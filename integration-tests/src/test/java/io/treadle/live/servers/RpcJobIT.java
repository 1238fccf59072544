// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.live.Torch;
import io.treadle.processes.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PyTorch's RPC framework finds all workers and servers of a job on a cluster. */
@Tag("alone")
class RpcJobIT {
    @BeforeAll
    static void torchIsThere() throws Exception {
        Torch.assumeThere();
    }

    @Test
    void workersCallAFunctionOfTheServer(@TempDir Path sums) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .node(new NodeShape("n1", 2048, 3, List.of()))
                        .node(new NodeShape("n2", 2048, 3, List.of()))
                        .start();
                ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            ApplicationViews views = new ApplicationViews(cluster);
            ApplicationId id = launcher.submit(job(Scripts.extract("rpc_sum.py", cluster.workDirectory()), sums));
            ApplicationView view =
                    Await.value("the job's end", () -> Optional.of(views.of(id)).filter(ApplicationView::ended));
            assertEquals(FinalApplicationStatus.SUCCEEDED, view.finalStatus(), view.diagnostics());
        }
        // Ranks 0 and 1 are the workers'.
        assertEquals("11.0", Files.readString(sums.resolve("ps0")));
    }

    private static JobSpec job(Path script, Path sums) {
        String command = "exec nice -n 5 " + Python.interpreter() + " -B rpc_sum.py '" + sums + "'";
        return JobSpecParser.fromYaml(
                "rpc.yaml",
                """
                name: rpc
                files: ['%1$s']
                appMaster: {memory: 512Mi}
                profiling: {enabled: false}
                tasks:
                  worker: {count: 2, vcores: 1, memory: 512Mi, command: "%2$s"}
                  ps: {count: 1, vcores: 1, memory: 512Mi, command: "%2$s"}
                """
                        .formatted(script.toUri(), command));
    }
}
