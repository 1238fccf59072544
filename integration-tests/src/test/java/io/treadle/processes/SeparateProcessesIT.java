// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.guide.ExamplePolicies;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code RunJar treadle-am.jar job.yaml} and a MapReduce job side by side, on daemons started as an admin starts them; the
 * queue of the training job runs an order from the jar of docs/guide/own-policy.md.
 */
class SeparateProcessesIT {
    @Test
    void trainsBesideMapReduceAndLeavesNothing(@TempDir Path directory) throws Exception {
        Path policies = ExamplePolicies.jar(
                ExamplePolicies.compile(Checkout.root().resolve("docs/guide/own-policy.md"), directory),
                "org.example.ExamplePlugin",
                directory.resolve("example-policies.jar"));
        Map<String, String> settings = Map.of("yarn.scheduler.capacity.root.ml.treadle.policy", "hrrn+synergy-tune");
        try (ProcessCluster cluster = ProcessCluster.start(settings, List.of(policies))) {
            TrainingJob job = TrainingJob.submit(cluster, "beside", 2, false);
            job.awaitTraining();
            MapReduceJob words =
                    MapReduceJob.submit(cluster, "a treadle powers a loom\na loom weaves\n", "loom and treadle\n");
            assertEquals("SUCCEEDED", cluster.finalStatus(words.applicationId()));
            assertEquals(Map.of("a", 3, "treadle", 2, "powers", 1, "loom", 3, "weaves", 1, "and", 1), words.counts());
            job.awaitProgress();

            String id = job.id();
            assertEquals(
                    "hrrn+synergy-tune",
                    cluster.rest()
                            .get("/ws/v1/treadle/jobs/" + id)
                            .path("policy")
                            .asText());
            assertTrue(cluster.rest().page("/cluster/treadle").contains(id), "page without the job");
            assertTrue(cluster.rest().page("/cluster/treadle/job/" + id).contains(job.name()), "page of the job");
            assertEquals(0, job.finish(), job::tail);
            assertEquals("SUCCEEDED", cluster.finalStatus(id));
            assertTrue(job.tail().contains(id), job::tail);
            Leftovers.assertNone(cluster);
        }
    }
}
