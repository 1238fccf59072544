// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.conf.AmConf;
import io.treadle.am.conf.ContainerClassPath;
import io.treadle.am.launch.StagedFiles;
import io.treadle.am.launch.YarnResources;
import io.treadle.am.process.AppMasterContext;
import io.treadle.am.process.AppMasterProcess;
import io.treadle.am.process.Application;
import io.treadle.am.process.Outcome;
import io.treadle.am.process.StateFile;
import io.treadle.am.protocol.Json;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.query.ingress.Callers;
import io.treadle.am.query.ingress.IngressLimits;
import io.treadle.am.query.ingress.QueryIngress;
import io.treadle.am.query.master.ConnectedWorker;
import io.treadle.am.query.master.DeskFigures;
import io.treadle.am.query.master.PeerRoster;
import io.treadle.am.query.master.ServiceDesk;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import io.treadle.am.web.RunnerCalls;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.YarnNmGateway;
import io.treadle.am.yarn.YarnRmGateway;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Main class of a service's ApplicationMaster: keeps its workers, and answers queries by them until it is killed. */
public final class ServiceMaster implements Application {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceMaster.class);

    private static final long TICK_MS = 250;
    private static final double SCALE_MS = 1_000;
    private static final long RECONNECT_MS = 10_000;
    private static final long DRAIN_MS = 60_000;
    private static final long BACK_OFF_MS = 30_000;
    private static final int FAILURES = 5;

    /** A worker that the fleet keeps and the desk uses. */
    private record DeskLink(ConnectedWorker worker) implements Link {
        @Override
        public boolean isConnected() {
            return worker.isConnected();
        }

        @Override
        public boolean isFit() {
            return worker.isFit();
        }

        @Override
        public void retire() {
            worker.retire();
        }

        @Override
        public boolean isIdle() {
            return worker.isIdle();
        }

        @Override
        public void close() {
            worker.close();
        }
    }

    private final AppMasterContext context;
    private final AmConf conf;
    private final ServiceSpec spec;
    private final JobSpec job;
    private final Optional<ServiceState> before;
    private final ServiceDesk desk;
    /** Where workers are peers. */
    private final Optional<PeerRoster> roster;

    private final Resource size;
    private final WorkerLaunch launch;
    private final QueryIngress ingress;
    private final long startedNanos = System.nanoTime();
    private final Autoscaler autoscaler;
    private Optional<ServiceState> saved = Optional.empty();
    private double scaledMs = Double.NEGATIVE_INFINITY;

    private ServiceMaster(AppMasterContext context) throws IOException {
        this.context = context;
        conf = AmConf.from(context.configuration());
        job = JobSpecParser.fromJson(Files.readString(Path.of("job.json")));
        String text = Files.readString(Path.of(ServiceProtocol.SPEC_FILE));
        spec = ServiceSpecParser.fromYaml(job.name() + ".yaml", text);
        size = YarnResources.of(job.groups().get(0));
        launch = new WorkerLaunch(
                spec.workers(),
                StagedFiles.of(
                        job, context.staging().fileSystem(), context.staging().directory()),
                ContainerClassPath.of(context.configuration(), WorkerLaunch.jars()),
                context.address(),
                conf.amTimeoutSeconds(),
                context.credentials().forRunners());
        before = savedState();
        desk = ServiceDesk.ofMaster(
                spec,
                context.credentials().jobSecret(),
                context.attempt(),
                before.map(ServiceState::models).orElse(List.of()));
        Map<String, String> users = users();
        roster = spec.mode() == ServiceSpec.Mode.PEER
                ? Optional.of(new PeerRoster(desk, text, users))
                : Optional.empty();
        ingress = QueryIngress.start(
                new InetSocketAddress(conf.servicePort()),
                spec.name(),
                new Callers(users),
                IngressLimits.ofThisProcess(1),
                desk);
        autoscaler = new Autoscaler(spec.workers().min(), spec.workers().max(), conf.servicePatienceSeconds() * 1000);
    }

    public static void main(String[] args) {
        AppMasterProcess.run(ServiceMaster::new);
    }

    private Map<String, String> users() throws IOException {
        Optional<String> users = context.staging().text(ServiceProtocol.USERS_FILE);
        if (users.isEmpty()) {
            throw new IllegalArgumentException("the service's staging directory lacks " + ServiceProtocol.USERS_FILE
                    + ", which says who may ask.\nMaybe it was not submitted by Treadle's client.");
        }
        ObjectNode json = Json.parse(ServiceProtocol.USERS_FILE, "{\"users\":" + users.get() + "}");
        return Json.texts(json, "users");
    }

    private Optional<ServiceState> savedState() throws IOException {
        try {
            return context.staging().state().map(ServiceState::fromJson);
        } catch (WireFormatException e) {
            LOG.warn("the state of the earlier attempt is ignored, its workers are given back: {}", e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public int port() {
        return ingress.port();
    }

    @Override
    public Outcome run(Registered registered) throws IOException, InterruptedException {
        YarnRmGateway rm = new YarnRmGateway(registered.client(), registered.link(), List.of(size));
        AtomicReference<Fleet> holder = new AtomicReference<>();
        NMClientAsync nmClient = NMClientAsync.createNMClientAsync(new YarnNmGateway.Callbacks((id, cause) -> {
            Fleet fleet = holder.get();
            if (fleet != null) {
                fleet.onStartFailed(id, cause);
            }
        }));
        nmClient.getClient().cleanupRunningContainersOnStop(false);
        nmClient.init(context.configuration());
        nmClient.start();
        ExecutorService connecting = Executors.newCachedThreadPool(run -> {
            Thread thread = new Thread(run, "connecting");
            thread.setDaemon(true);
            return thread;
        });
        try (StateFile state = new StateFile(context.staging())) {
            Fleet fleet = new Fleet(
                    new FleetSettings(
                            spec.workers().min(),
                            spec.workers().max(),
                            Math.round(conf.registerSeconds() * 1000),
                            RECONNECT_MS,
                            DRAIN_MS,
                            BACK_OFF_MS,
                            FAILURES),
                    rm,
                    new YarnNmGateway(nmClient, rm, c -> launch.contextFor(c.id())),
                    this::link,
                    connecting,
                    () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
            holder.set(fleet);
            List<SavedWorker> known = before.map(ServiceState::workers).orElse(List.of());
            List<GrantedContainer> inherited = new ArrayList<>();
            registered
                    .inherited(known.stream()
                            .filter(worker -> !worker.host().isEmpty())
                            .map(SavedWorker::containerId)
                            .collect(Collectors.toSet()))
                    .forEach(c -> inherited.add(rm.known(c)));
            fleet.start(before.map(ServiceState::wanted).orElse(spec.workers().count()), inherited, known);
            registered.events().connect(rm, fleet);
            context.server().post(ServiceProtocol.REGISTER, body -> {
                String answer = registered(fleet, RegisterMessage.fromJson(body));
                // Before the worker believes that it is known: the next master finds it by this.
                keep(state, fleet);
                return answer;
            });
            context.server()
                    .showPage(
                            () -> ServicePage.render(status(fleet)),
                            () -> status(fleet).toJson(),
                            context.proxyGate(registered.response().getApplicationACLs()));
            while (fleet.failure().isEmpty() && !registered.isAbandoned().getAsBoolean()) {
                fleet.tick();
                scale(fleet);
                roster.ifPresent(PeerRoster::tell);
                keep(state, fleet);
                TimeUnit.MILLISECONDS.sleep(TICK_MS);
            }
            return new Outcome(false, fleet.failure().orElse("ended by the ResourceManager"));
        } finally {
            connecting.shutdownNow();
            nmClient.stop();
        }
    }

    private Link link(String host, int port) throws IOException, InterruptedException {
        ConnectedWorker worker = desk.connect(host, port);
        roster.ifPresent(each -> each.joined(worker));
        return new DeskLink(worker);
    }

    private static String registered(Fleet fleet, RegisterMessage worker) throws RunnerCalls.RefusedException {
        if (!fleet.registered(worker.containerId(), worker.host(), worker.port())) {
            throw new RunnerCalls.RefusedException(
                    RunnerProtocol.STATUS_GONE, "container " + worker.containerId() + " is none of the service's");
        }
        return Json.object().put("known", true).toString();
    }

    private void scale(Fleet fleet) {
        double nowMs = System.nanoTime() / 1e6;
        if (spec.workers().min() == spec.workers().max() || nowMs - scaledMs < SCALE_MS) {
            return;
        }
        scaledMs = nowMs;
        DeskFigures figures = desk.figures();
        double backlogMs = figures.workers().stream()
                .mapToDouble(DeskFigures.Worker::waitMs)
                .sum();
        int wanted = autoscaler.wanted(nowMs, figures.workMs(), backlogMs, fleet.wanted());
        if (wanted != fleet.wanted()) {
            LOG.info("{} workers instead of {}", wanted, fleet.wanted());
            fleet.want(wanted);
        }
    }

    private synchronized void keep(StateFile file, Fleet fleet) {
        ServiceState now = new ServiceState(ServiceState.SCHEMA, fleet.wanted(), fleet.saved(), desk.models());
        if (!saved.equals(Optional.of(now))) {
            saved = Optional.of(now);
            file.save(now::toJson);
        }
    }

    private ServiceStatus status(Fleet fleet) {
        return new ServiceStatus(
                spec.name(),
                context.applicationId(),
                context.user(),
                spec.mode(),
                spec.policy(),
                state(fleet),
                fleet.refusal(),
                context.host() + ":" + ingress.port(),
                context.attempt(),
                (System.nanoTime() - startedNanos) / 1e9,
                fleet.wanted(),
                fleet.members(),
                desk.models(),
                desk.figures());
    }

    private String state(Fleet fleet) {
        if (desk.isReady()) {
            return "ready";
        }
        return fleet.members().isEmpty() ? "waiting for workers" : desk.models().isEmpty() ? "measuring" : "starting";
    }

    @Override
    public void close() {
        ingress.close();
        desk.close();
    }
}
