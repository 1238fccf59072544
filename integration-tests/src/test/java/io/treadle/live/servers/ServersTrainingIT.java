// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsTrust;
import io.treadle.core.wire.ProfileServers;
import io.treadle.demo.JobRow;
import io.treadle.demo.Python;
import io.treadle.demo.Screen;
import io.treadle.demo.servers.ServersRun;
import io.treadle.live.Torch;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PyTorch trains on scikit-learn's digits with workers and parameter servers ({@code digits_ps.py}) in a queue of
 * {@code smd}: its sizes are measured while it trains, the scheduler changes them, a worker leaves for a guest while the others train,
 * and a killed server stops nothing.
 */
@Tag("alone")
class ServersTrainingIT {
    private static final Logger LOG = LoggerFactory.getLogger(ServersTrainingIT.class);
    private static final double LEAST_ACCURACY = 0.95;

    @BeforeAll
    static void torchIsThere() throws Exception {
        Torch.assumeThere();
    }

    @Test
    void isMeasuredSizedMovedAndKilledAndReachesItsAccuracy(@TempDir Path directory) throws Exception {
        ServersRun.Outcome outcome;
        Path work;
        try (EmbeddedCluster cluster = ServersRun.start(starting -> {})) {
            work = cluster.workDirectory();
            outcome = ServersRun.run(cluster, Python.interpreter(), directory, new Logged());
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        LOG.info(
                "{} {} {}", outcome.result(), outcome.servers(), outcome.sizes().entries());
        assertEquals(FinalApplicationStatus.SUCCEEDED, outcome.status(), outcome.diagnostics());
        assertEquals(3, outcome.servers().path("samples").size(), outcome.servers()::toString);
        assertTrue(outcome.servers().has("fitted"), outcome.servers()::toString);
        ProfileServers known =
                ProfileServers.fromJson("servers", outcome.servers().toString());
        assertTrue(known.noise().isPresent(), "the errors of real measurements are known");
        LOG.info("{}", PsTrust.describe(known));
        LayeredPsModel model = PsModels.model(known.model().orElseThrow());
        double fastest = model.iterationSeconds(3, 1);
        assertTrue(fastest < model.iterationSeconds(2, 1) && fastest < model.iterationSeconds(2, 2), known::toString);
        assertTrue(
                outcome.sizes().had(ServersRun.Outcome.WANTED), outcome.sizes().entries()::toString);
        assertTrue(outcome.guestSucceeded(), "whom it made way for has succeeded");
        assertTrue(outcome.turnedOver(), outcome.sizes().entries()::toString);
        assertTrue(outcome.recovered(), "a server was killed, and all were started again");
        assertTrue(outcome.result().path("begunAfterStep").asInt() > 0, outcome.result()::toString);
        assertTrue(outcome.result().path("testAccuracy").asDouble() >= LEAST_ACCURACY, outcome.result()::toString);
    }

    private static final class Logged implements Screen {
        @Override
        public void line(String text) {
            LOG.info("{}", text);
        }

        @Override
        public void update(String policy, double elapsedSeconds, List<JobRow> rows) {}

        @Override
        public void endRun() {}
    }
}
