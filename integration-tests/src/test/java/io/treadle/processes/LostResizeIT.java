// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code kill -9} of the ResourceManager right after the ApplicationMaster has asked for another size. */
class LostResizeIT {
    /** Hadoop's client logs it when an ApplicationMaster asks for another size. */
    private static final String ASKED = "Requesting Container update";

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = ProcessCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aProfileContinuesWhenItsResizeIsLostWithTheResourceManager() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "resize-lost", JobSizes.ASKED_VCORES, true);
        String id = job.id();
        Await.until("the profiler's first resize", () -> {
            job.checkRunning();
            return cluster.appMasterLog(id).contains(ASKED);
        });
        cluster.killResourceManager();
        cluster.startResourceManager();
        cluster.awaitNodes();
        // One vcore, and the two that it asked for.
        JobSizes.awaitRunning(job, "a profile of several sizes", () -> {
            JsonNode view = job.view().orElseThrow();
            return view.path("profile").size() > 1
                    && !view.path("state").asText().equals("profiling");
        });
        assertTrue(job.view().orElseThrow().path("usefulVcores").asLong() >= JobSizes.ASKED_VCORES);
        assertEquals(0, job.restarts());
        assertEquals(0, job.finish(), job::tail);
        Leftovers.assertNone(cluster);
    }
}
