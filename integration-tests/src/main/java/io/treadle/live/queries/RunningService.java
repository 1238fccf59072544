// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.client.MasterStatus;
import io.treadle.am.client.TreadleClient;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.serve.MasterWords;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;

/** A service on the cluster; it ends with this. */
final class RunningService implements AutoCloseable {
    static final String SECRET = "a-bench-asks-nobody-else-listens";
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final long POLL_MS = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TreadleClient client;
    private final ApplicationId id;

    private RunningService(TreadleClient client, ApplicationId id) {
        this.client = client;
        this.id = id;
    }

    /**
     * Starts it, and waits until all its workers answer.
     *
     * @throws DemoException if they do not
     */
    static RunningService start(EmbeddedCluster cluster, Path file) throws InterruptedException {
        TreadleClient client = TreadleClient.connect(new Configuration(cluster.configuration()));
        RunningService service = new RunningService(client, client.serve(file, "{\"bench\":\"" + SECRET + "\"}"));
        boolean isReady = false;
        try {
            service.awaitReady();
            isReady = true;
        } finally {
            if (!isReady) {
                service.close();
            }
        }
        return service;
    }

    private void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            if (client.status(id).isOver()) {
                throw new DemoException(
                        "the service has ended: " + client.report(id).getDiagnostics());
            }
            Optional<JsonNode> status = read();
            if (status.filter(RunningService::isReady).isPresent()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new DemoException("the service was not ready within " + PATIENCE.toSeconds() + " s");
    }

    private static boolean isReady(JsonNode status) {
        int ready = 0;
        for (JsonNode worker : status.path("workers")) {
            ready += worker.path("state").asText().equals("ready") ? 1 : 0;
        }
        return status.path("state").asText().equals("ready")
                && ready >= status.path("workersWanted").asInt();
    }

    private Optional<JsonNode> read() {
        return MasterWords.of(client, id).map(MasterStatus::json).map(RunningService::parse);
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new DemoException("the service's status is no JSON: " + e.getMessage(), e);
        }
    }

    /** What its ApplicationMaster says of it. */
    ServiceProfile profile() {
        return ServiceProfile.of(
                read().orElseThrow(() -> new DemoException("the service says nothing of itself any more")));
    }

    /** Where it answers. */
    URI address() {
        ApplicationReport report = client.report(id);
        return URI.create("http://" + report.getHost() + ":" + report.getRpcPort());
    }

    @Override
    public void close() {
        if (!client.status(id).isOver()) {
            client.kill(id);
        }
        client.close();
    }
}
