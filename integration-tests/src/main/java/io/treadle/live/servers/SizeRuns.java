// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.spec.JobSpec;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.wire.ProfileServers;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.Screen;
import io.treadle.demo.StatusReader;
import io.treadle.demo.TorchPackages;
import io.treadle.demo.servers.ServersJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Trains {@code digits_ps.py} at sizes that the scheduler chooses to measure, and at others. */
final class SizeRuns implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long POLL_MS = 250;
    private static final double MS = 1e3;
    private static final int WORKER_VCORES = 3;
    private static final int SERVER_VCORES = 1;
    private static final double SETTLE_SECONDS = 3;
    private static final double PATIENCE_SECONDS = 300;

    private final EmbeddedCluster cluster;
    private final Screen screen;
    private final ClientLauncher launcher;
    private final ApplicationViews views;
    private final StatusReader statuses;
    private final Path directory;

    SizeRuns(EmbeddedCluster cluster, Path directory, Screen screen) {
        this.cluster = cluster;
        this.screen = screen;
        this.directory = directory;
        this.launcher = new ClientLauncher(cluster.configuration());
        this.views = new ApplicationViews(cluster);
        this.statuses = new StatusReader(cluster.workDirectory().resolve("history"));
    }

    /** What is known of a job that may have each size up to this one, as soon as that is enough. */
    ProfileServers learn(PsSize most) throws InterruptedException {
        ApplicationId id = submit(new PsSize(1, 1), most);
        String told = "";
        double end = seconds() + PATIENCE_SECONDS;
        while (seconds() < end) {
            JsonNode status = status(id);
            if (!told.equals(status.path("note").asText())) {
                told = status.path("note").asText();
                screen.line("  " + told);
            }
            if (status.path("servers").has("fitted")) {
                end(id);
                return ProfileServers.fromJson(
                        "status of " + id, status.path("servers").toString());
            }
            Thread.sleep(POLL_MS);
        }
        throw new DemoException("the job was not measured in " + PATIENCE_SECONDS + " s: " + told);
    }

    /** The time of an iteration at a size, s. */
    double measure(PsSize size, double forSeconds) throws InterruptedException {
        ApplicationId id = submit(size, size);
        double end = seconds() + PATIENCE_SECONDS;
        double settled = Double.NaN;
        JsonNode first = MAPPER.createObjectNode();
        while (seconds() < end) {
            JsonNode status = status(id);
            boolean trains = status.path("state").asText().equals("running")
                    && status.path("samplesPerSecond").asDouble() > 0;
            if (trains && Double.isNaN(settled)) {
                settled = seconds() + SETTLE_SECONDS;
            } else if (seconds() > settled && first.isEmpty()) {
                first = status;
            } else if (!first.isEmpty() && elapsed(first, status) >= forSeconds) {
                end(id);
                double samples = status.path("samples").asDouble()
                        - first.path("samples").asDouble();
                double found = ServersJobs.BATCH * elapsed(first, status) / samples;
                screen.line(String.format(Locale.ROOT, "  %-24s %6.1f ms an iteration", size.text(), MS * found));
                return found;
            }
            Thread.sleep(POLL_MS);
        }
        throw new DemoException(size.text() + " did not train in " + PATIENCE_SECONDS + " s");
    }

    private static double elapsed(JsonNode from, JsonNode to) {
        return (to.path("nowMs").asDouble() - from.path("nowMs").asDouble()) / MS;
    }

    private ApplicationId submit(PsSize least, PsSize most) {
        JobSpec spec = ServersJobs.training(
                TorchPackages.PYTHON,
                cluster.workDirectory().resolve("scripts"),
                directory.resolve("checkpoints-" + most.workers() + "-" + most.servers() + "-" + System.nanoTime()),
                directory.resolve("result.json"),
                new ServersJobs.Size(least, most, WORKER_VCORES, SERVER_VCORES, 0, ServersJobs.BATCH, 1_000_000));
        return launcher.submit(spec);
    }

    private void end(ApplicationId id) throws InterruptedException {
        launcher.kill(id);
        while (!views.of(id).ended()) {
            Thread.sleep(POLL_MS);
        }
        DemoCluster.awaitIdle(cluster);
    }

    private JsonNode status(ApplicationId id) throws InterruptedException {
        ApplicationView view = views.of(id);
        if (view.ended()) {
            throw new DemoException("job " + id + " ended as " + view.finalStatus() + ": " + view.diagnostics());
        }
        Optional<String> text =
                view.trackingUrl().isEmpty() ? Optional.empty() : statuses.text(view.trackingUrl() + "status.json");
        try {
            return text.isPresent() ? MAPPER.readTree(text.get()) : MAPPER.createObjectNode();
        } catch (IOException e) {
            return MAPPER.createObjectNode();
        }
    }

    private static double seconds() {
        return System.nanoTime() / 1e9;
    }

    @Override
    public void close() {
        launcher.close();
    }
}
