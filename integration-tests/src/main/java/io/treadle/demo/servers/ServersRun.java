// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.servers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.core.model.ps.PsSize;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.Screen;
import io.treadle.demo.StatusReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;

/**
 * A job with parameter servers on a cluster: it is measured with two workers and a server, two of both, and three workers and
 * a server; has the last, which is the fastest of these; a worker leaves for a guest while the others train, and another joins
 * them once the guest has gone; it loses a server, starts anew from its checkpoint, and ends.
 */
public final class ServersRun {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int GUEST_SECONDS = 10;
    /** They leave room for two workers and a server, beside two ApplicationMasters. */
    private static final int GUEST_VCORES = 5;

    private static final int SEEN_CALM = 20;
    private static final long POLL_MS = 250;
    private static final double MS = 1e3;

    private static final List<NodeShape> NODES = List.of(new NodeShape("n1", 8192, 13, List.of()));
    /** So that a vcore stands for as much on any machine as three workers together may use. */
    private static final CpuShare SHARE = new CpuShare(0.1);

    private static final Map<String, String> SETTINGS = Map.of(
            "yarn.scheduler.capacity.root.treadle.utility.max-weight", "1000",
            "yarn.scheduler.treadle.smd.interval-ms", "1000",
            "yarn.scheduler.treadle.smd.capacity-factor", "1",
            "yarn.scheduler.treadle.power.rescale-seconds", "1",
            "treadle.profile.servers.seconds", "4");

    /**
     * What was seen.
     *
     * @param servers what is known of its iterations in the end, as in its profile record; missing if nothing
     * @param recovered whether a server was killed, and all were started again after that
     * @param result what worker 0 has written at the end: accuracy, steps
     */
    public record Outcome(
            ApplicationId id,
            FinalApplicationStatus status,
            String diagnostics,
            ServersTimeline sizes,
            JsonNode servers,
            JsonNode result,
            boolean recovered,
            boolean guestSucceeded) {
        /** The size that is best for it where nobody else is. */
        public static final PsSize FASTEST = new PsSize(3, 1);

        /** Sizes that the scheduler is to give it: to be measured, as the fastest, beside the guest, and after it. */
        public static final List<PsSize> WANTED =
                List.of(new PsSize(2, 1), new PsSize(2, 2), FASTEST, new PsSize(2, 1), FASTEST);

        /** Whether a worker has left and one has joined while the others trained on. */
        public boolean turnedOver() {
            return sizes.changedWithoutRestart(FASTEST, new PsSize(2, 1))
                    && sizes.changedWithoutRestart(new PsSize(2, 1), FASTEST);
        }
    }

    private enum Stage {
        MEASURED,
        SIZED,
        GUEST,
        GROWN,
        KILLED
    }

    private final EmbeddedCluster cluster;
    private final Screen screen;
    private final ClientLauncher launcher;
    private final ApplicationViews views;
    private final StatusReader statuses;
    private final ServersTimeline sizes = new ServersTimeline();
    private final Path work;
    private final long begunMs = System.currentTimeMillis();

    private Stage stage = Stage.MEASURED;
    private JsonNode status = MAPPER.createObjectNode();
    private Optional<ApplicationId> guest = Optional.empty();
    private int calm;
    private String told = "";
    /** How often all had been started again when a server was killed; empty until then. */
    private OptionalInt restartsAtKill = OptionalInt.empty();

    private ServersRun(EmbeddedCluster cluster, ClientLauncher launcher, Screen screen) {
        this.cluster = cluster;
        this.screen = screen;
        this.launcher = launcher;
        this.views = new ApplicationViews(cluster);
        this.work = cluster.workDirectory();
        this.statuses = new StatusReader(work.resolve("history"));
    }

    /** @param owner is given the cluster before it starts */
    public static EmbeddedCluster start(Consumer<EmbeddedCluster> owner) throws InterruptedException {
        return DemoCluster.start(NODES, List.of(ServersJobs.POLICY), SHARE, owner, SETTINGS);
    }

    /**
     * Runs it to its end.
     *
     * @param python an interpreter that has PyTorch and scikit-learn
     * @param directory for checkpoints and result
     */
    public static Outcome run(EmbeddedCluster cluster, String python, Path directory, Screen screen)
            throws InterruptedException {
        DemoCluster.describe(cluster);
        try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            return new ServersRun(cluster, launcher, screen).run(python, directory);
        }
    }

    private Outcome run(String python, Path directory) throws InterruptedException {
        Path result = directory.resolve("result.json");
        ApplicationId id = launcher.submit(ServersJobs.training(
                python, work.resolve("scripts"), directory.resolve("checkpoints"), result, ServersJobs.Size.DEMO));
        screen.line(" submitted " + id + ", page " + cluster.webAddress() + "/proxy/" + id + "/");
        ApplicationView view = views.of(id);
        while (!view.ended()) {
            look(view);
            Thread.sleep(POLL_MS);
            view = views.of(id);
        }
        return new Outcome(
                id,
                view.finalStatus(),
                view.diagnostics(),
                sizes,
                status.path("servers"),
                read(result),
                restartsAtKill.isPresent() && status.path("restarts").asInt() > restartsAtKill.getAsInt(),
                guest.isPresent() && views.of(guest.get()).finalStatus() == FinalApplicationStatus.SUCCEEDED);
    }

    private void look(ApplicationView view) throws InterruptedException {
        Optional<String> text =
                view.trackingUrl().isEmpty() ? Optional.empty() : statuses.text(view.trackingUrl() + "status.json");
        if (text.isEmpty()) {
            return;
        }
        status = json(text.get());
        Optional<PsSize> size = size();
        if (size.isEmpty()
                || !status.path("state").asText().equals("running")
                || status.path("samplesPerSecond").asDouble() <= 0) {
            calm = 0;
            return;
        }
        double seconds = (System.currentTimeMillis() - begunMs) / MS;
        ServersTimeline.Entry now = new ServersTimeline.Entry(
                seconds,
                size.get(),
                status.path("restarts").asInt(),
                status.path("note").asText());
        calm++;
        if (sizes.add(now)) {
            calm = 0;
        }
        if (!told.equals(now.size().text() + now.note())) {
            told = now.size().text() + now.note();
            screen.line(now.text());
        }
        goOn(size.get());
    }

    /** What happens next to the job, once it has gone on for a while as it is. */
    private void goOn(PsSize size) {
        switch (stage) {
            case MEASURED -> enter(Stage.SIZED, status.path("servers").has("fitted"));
            case SIZED -> {
                if (calm > SEEN_CALM && size.equals(Outcome.FASTEST)) {
                    guest = Optional.of(launcher.submit(ServersJobs.guest(GUEST_VCORES, GUEST_SECONDS)));
                    screen.line(" a guest comes, worth a hundred times as much: " + guest.get());
                    enter(Stage.GUEST, true);
                }
            }
            case GUEST -> enter(Stage.GROWN, guestEnded());
            case GROWN -> {
                // Where room comes late, the worker that left has to join before a server dies: seen on a slow machine.
                if (calm > SEEN_CALM && size.equals(Outcome.FASTEST)) {
                    enter(Stage.KILLED, kill());
                }
            }
            case KILLED -> {}
        }
    }

    private void enter(Stage next, boolean isReached) {
        if (isReached) {
            stage = next;
            calm = 0;
        }
    }

    private boolean guestEnded() {
        return guest.isPresent() && views.of(guest.get()).ended();
    }

    private Optional<PsSize> size() {
        int workers = 0;
        int servers = 0;
        for (JsonNode worker : status.path("workers")) {
            boolean isServer = worker.path("group").asText().equals("ps");
            workers += isServer ? 0 : 1;
            servers += isServer ? 1 : 0;
        }
        return workers > 0 && servers > 0 ? Optional.of(new PsSize(workers, servers)) : Optional.empty();
    }

    private boolean kill() {
        Optional<ProcessHandle> server = ContainerProcesses.under(work).stream()
                .filter(process -> process.info()
                        .arguments()
                        .map(List::of)
                        .filter(arguments -> arguments.contains(ServersJobs.SERVER))
                        .isPresent())
                .findFirst();
        server.ifPresent(process -> {
            restartsAtKill = OptionalInt.of(status.path("restarts").asInt());
            process.destroyForcibly();
            screen.line(
                    " kill -9 " + process.pid() + ": a server dies on purpose; the job goes on from its checkpoint");
        });
        return server.isPresent();
    }

    private static JsonNode read(Path file) {
        try {
            return MAPPER.readTree(file.toFile());
        } catch (IOException e) {
            return MAPPER.createObjectNode();
        }
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            return MAPPER.createObjectNode();
        }
    }
}
