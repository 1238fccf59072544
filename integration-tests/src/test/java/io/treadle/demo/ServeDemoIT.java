// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.client.ServiceAddress;
import io.treadle.am.client.TreadleClient;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.serve.DemoModels;
import io.treadle.demo.serve.Digits;
import io.treadle.demo.serve.DigitsFile;
import io.treadle.demo.serve.DigitsModels;
import io.treadle.demo.serve.ModelSizes;
import io.treadle.demo.serve.PolicyRun;
import io.treadle.demo.serve.ServeCluster;
import io.treadle.demo.serve.ServePlan;
import io.treadle.demo.serve.ServeRun;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo of services with small models and few queries: all of it but the models' size. */
class ServeDemoIT {
    private static final ModelSizes SMALL = new ModelSizes(2_000, 200, 600, 80);
    private static final int QUERIES = 60;

    @Test
    void realDigitsAreReadUnderTwoPoliciesWhileAJobTrains(@TempDir Path directory) throws Exception {
        Optional<Path> file = DigitsPackage.find();
        Assumptions.assumeTrue(file.isPresent(), "skipped: no python3-sklearn on this machine, whose digits are read");
        Digits.Split split = DigitsFile.read(file.get()).split(1);
        DemoModels models = DigitsModels.write(directory.resolve("models"), split.training(), SMALL, 1);
        ServePlan plan = new ServePlan(SMALL, List.of("hash", "compass"), 2, 10, 10, QUERIES, 1);
        Screen screen = new PlainScreen(System.out);
        DemoReport report = new DemoReport(directory.resolve("report"));
        try (EmbeddedCluster cluster = ServeCluster.start(starting -> {});
                TreadleClient client = TreadleClient.connect(new Configuration(cluster.configuration()))) {
            ServeRun.Outcome outcome = ServeRun.run(cluster, models, split.heldOut(), plan, true, screen);
            report.write(outcome.result());
            ServeChecks checks = ServeChecks.of(outcome);
            assertTrue(checks.good(), () -> String.join("\n", checks.lines()));
            assertEquals(2, outcome.result().runs().size());
            for (PolicyRun run : outcome.result().runs()) {
                assertEquals(QUERIES, run.answers().size(), run.policy());
                assertTrue(run.figures().orElseThrow().tasks() >= 2 * QUERIES, run::toString);
            }
            // The service that stays: where the demo says it is, and with the secret that 'treadle query' finds.
            assertEquals(
                    YarnApplicationState.RUNNING, client.status(outcome.last()).state());
            assertEquals(200, described(client.service(outcome.last())));
            assertEquals(
                    YarnApplicationState.RUNNING,
                    client.status(outcome.training()).state());
        }
        assertTrue(Files.readString(report.servePage()).contains("<svg"));
        assertTrue(Files.readString(report.directory().resolve("serve.json")).contains("\"compass\""));
    }

    private static int described(ServiceAddress address) throws Exception {
        URI uri = URI.create("http://" + address.host() + ":" + address.port() + "/v2/models/recognise");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .header("Authorization", "Bearer " + address.secret())
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
