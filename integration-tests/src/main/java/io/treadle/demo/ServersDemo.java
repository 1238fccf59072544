// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.model.ps.PsTrust;
import io.treadle.core.wire.ProfileServers;
import io.treadle.demo.servers.ServersRun;
import io.treadle.demo.servers.ServersTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;

/** Real PyTorch with parameter servers: measured, sized, resized by the scheduler, a server killed on purpose. */
final class ServersDemo {
    private static final double LEAST_ACCURACY = 0.95;

    private final DemoOptions options;
    private final DemoReport report;
    private final GatedScreen screen;

    ServersDemo(DemoOptions options, DemoReport report, GatedScreen screen) {
        this.options = options;
        this.report = report;
        this.screen = screen;
    }

    /** Whether everything that the demo promises was seen. */
    boolean run() throws InterruptedException {
        new TorchPackages(screen, report.directory().resolve("apt.log")).ensure();
        screen.line("Treadle demo of parameter servers: embedded Hadoop " + VersionInfo.getVersion()
                + ", a node of 13 demo vcores, policy smd; takes about three minutes");
        Path files = report.directory().resolve("digits-ps");
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster = ServersRun.start(shutdown::owns);
            screen.line(" RM page  " + cluster.webAddress() + "/cluster/treadle");
            ServersRun.Outcome outcome = ServersRun.run(cluster, TorchPackages.PYTHON, files, screen);
            write(outcome);
            boolean good = show(outcome);
            if (options.keep()) {
                KeptCluster.keep(cluster, List.of("smd"), report, screen);
            }
            return good;
        }
    }

    private boolean show(ServersRun.Outcome outcome) {
        screen.line("");
        for (JsonNode sample : outcome.servers().path("samples")) {
            screen.line(String.format(
                    Locale.ROOT,
                    "  %-24s %6.1f ms an iteration",
                    size(sample).text(),
                    1e3 * sample.path("seconds").asDouble()));
        }
        if (outcome.servers().has("fitted")) {
            screen.line("  "
                    + PsTrust.describe(ProfileServers.fromJson(
                            "status.servers", outcome.servers().toString())));
        }
        boolean good = tell(
                outcome.status() == FinalApplicationStatus.SUCCEEDED,
                "job " + outcome.id() + " ended as " + outcome.status());
        good &= tell(
                outcome.servers().has("fitted"),
                "iterations measured at " + outcome.servers().path("samples").size() + " sizes while it trained");
        good &= tell(
                outcome.sizes().had(ServersRun.Outcome.WANTED),
                "went from 2 workers and 2 servers to 3 workers and 1 server, to 2 workers and back to 3");
        good &= tell(outcome.guestSucceeded(), "made way for a guest, which succeeded");
        good &= tell(outcome.turnedOver(), "a worker left for it and one joined after it while the others trained on");
        good &= tell(
                outcome.recovered() && outcome.result().path("begunAfterStep").asInt() > 0,
                "after kill -9 of a server all went on from its checkpoint");
        double accuracy = outcome.result().path("testAccuracy").asDouble();
        good &= tell(accuracy >= LEAST_ACCURACY, String.format(Locale.ROOT, "test accuracy %.1f %%", 100 * accuracy));
        screen.line(" report: " + file());
        return good;
    }

    private boolean tell(boolean good, String what) {
        screen.line((good ? " ok    " : " SHORT ") + what);
        return good;
    }

    private static PsSize size(JsonNode sample) {
        return new PsSize(sample.path("workers").asInt(), sample.path("servers").asInt());
    }

    private Path file() {
        return report.directory().resolve("servers.json");
    }

    private void write(ServersRun.Outcome outcome) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = mapper.createObjectNode();
        json.put("applicationId", outcome.id().toString())
                .put("finalStatus", outcome.status().toString())
                .put("diagnostics", outcome.diagnostics());
        json.set("servers", outcome.servers());
        json.set("result", outcome.result());
        ArrayNode sizes = json.putArray("sizes");
        for (ServersTimeline.Entry entry : outcome.sizes().entries()) {
            sizes.addObject()
                    .put("seconds", entry.seconds())
                    .put("workers", entry.size().workers())
                    .put("servers", entry.size().servers())
                    .put("restarts", entry.restarts())
                    .put("note", entry.note());
        }
        try {
            Files.writeString(file(), json.toPrettyString() + "\n");
        } catch (IOException e) {
            throw new DemoException("report " + file() + " cannot be written: " + e.getMessage(), e);
        }
    }
}
