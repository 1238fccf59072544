// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.conf.AmConf;
import io.treadle.am.launch.RunnerLaunch;
import io.treadle.am.launch.StagedFiles;
import io.treadle.am.launch.YarnResources;
import io.treadle.am.process.AppMasterContext;
import io.treadle.am.process.AppMasterProcess;
import io.treadle.am.process.Application;
import io.treadle.am.process.Outcome;
import io.treadle.am.process.Staging;
import io.treadle.am.process.StateFile;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.YarnNmGateway;
import io.treadle.am.yarn.YarnRmGateway;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Main class of a training job's ApplicationMaster: wires the job's state machine to YARN and runs it to its end. */
public final class TreadleAppMaster implements Application {
    private static final Logger LOG = LoggerFactory.getLogger(TreadleAppMaster.class);

    private static final long TICK_MS = 250;
    private static final long KNOWN_PROFILE_MS = 2_000;
    /** Time for runners to hear that the job is over, before the ResourceManager ends what is left. */
    private static final long FAREWELL_MS = 1_500;

    private final AppMasterContext context;
    private final Configuration configuration;
    private final Staging staging;
    private final JobSpec spec;
    private final AmConf conf;
    private final List<Resource> sizes;
    private final RunnerLaunch launch;
    private final JobIdentity identity;
    private final ZooKeeperAccess zooKeeper;

    /** All that can be wrong with the job or its settings is found here. */
    private TreadleAppMaster(AppMasterContext context) throws IOException {
        this.context = context;
        configuration = context.configuration();
        staging = context.staging();
        spec = JobSpecParser.fromJson(Files.readString(Path.of("job.json")));
        conf = AmConf.from(configuration);
        sizes = spec.groups().stream().map(YarnResources::of).toList();
        launch = new RunnerLaunch(
                StagedFiles.of(spec, staging.fileSystem(), staging.directory()),
                context.address(),
                conf.amTimeoutSeconds(),
                conf.stopGraceSeconds(),
                context.credentials().forRunners(),
                spec.groups().stream().map(JobSpec.TaskGroup::container).toList());
        identity = new JobIdentity(
                context.applicationId(),
                context.attempt(),
                context.user(),
                staging.checkpointDir(spec.checkpointDir()),
                gpuModel(spec));
        zooKeeper = zooKeeper(context.applicationId());
    }

    public static void main(String[] args) {
        AppMasterProcess.run(TreadleAppMaster::new);
    }

    @Override
    public int port() {
        return context.server().port();
    }

    @Override
    public Outcome run(Registered registered) throws IOException, InterruptedException {
        YarnRmGateway rm = new YarnRmGateway(registered.client(), registered.link(), sizes);
        JobHolder holder = new JobHolder();
        NMClientAsync nmClient = NMClientAsync.createNMClientAsync(
                new YarnNmGateway.Callbacks((id, cause) -> holder.job().onStartFailed(id, cause)));
        nmClient.getClient().cleanupRunningContainersOnStop(false);
        nmClient.init(configuration);
        nmClient.start();
        HttpRunnerGateway runners =
                new HttpRunnerGateway(context.address(), context.credentials().jobSecret());
        try (StateFile store = new StateFile(staging);
                zooKeeper) {
            JobMaster job = new JobMaster(
                    identity,
                    spec,
                    MasterSettings.of(
                            conf,
                            spec,
                            registered.response().getMaximumResourceCapability().getVirtualCores(),
                            ResourceUtils.getResourceTypes().containsKey(YarnResources.POWER)),
                    JobClock.SYSTEM,
                    new Outside(
                            rm,
                            new YarnNmGateway(nmClient, rm, c -> launch.contextFor(c.id(), c.requestId() - 1)),
                            runners,
                            state -> store.save(state::toJson),
                            zooKeeper.node()));
            holder.set(job);
            Optional<SavedState> saved = savedState();
            List<GrantedContainer> inherited = new ArrayList<>();
            registered
                    .inherited(saved.map(SavedState::containers).orElse(Set.of()))
                    .forEach(c -> inherited.add(rm.known(c)));
            job.start(saved, inherited);
            registered.events().connect(rm, job);
            context.server().serve(job);
            context.server()
                    .showPage(
                            job::status, context.proxyGate(registered.response().getApplicationACLs()));
            zooKeeper.followMemory(job::readsData, job::onMemoryWanted);
            boolean placed = false;
            while (job.outcome().isEmpty() && !registered.isAbandoned().getAsBoolean()) {
                if (!placed && job.hasContainers()) {
                    // Which profile fits depends on the GPUs that the job got.
                    placed = true;
                    zooKeeper.awaitKnownProfile(spec.modelTag(), KNOWN_PROFILE_MS, job::onKnownProfile);
                }
                job.tick();
                TimeUnit.MILLISECONDS.sleep(TICK_MS);
            }
            Outcome outcome = job.outcome().orElse(new Outcome(false, "ended by the ResourceManager"));
            if (!registered.isAbandoned().getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(FAREWELL_MS);
                store.close();
                keepRecord(job, outcome);
                zooKeeper.flush();
            }
            return outcome;
        } finally {
            nmClient.stop();
        }
    }

    private void keepRecord(JobMaster job, Outcome outcome) {
        try {
            staging.writeRecord(
                    context.applicationId(),
                    job.status().toRecord(outcome.succeeded() ? "SUCCEEDED" : "FAILED", outcome.diagnostics()));
            // Hadoop says by one that a name does not resolve.
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("the job's record could not be kept", e);
        }
    }

    private Optional<SavedState> savedState() throws IOException {
        try {
            return staging.state().map(SavedState::fromJson);
        } catch (WireFormatException e) {
            LOG.warn("the state of the earlier attempt is ignored, its containers are given back: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static String gpuModel(JobSpec spec) {
        List<String> models = spec.groups().stream()
                .flatMap(g -> g.gpuModels().stream())
                .distinct()
                .toList();
        return models.size() == 1 ? models.get(0) : "";
    }

    private ZooKeeperAccess zooKeeper(String applicationId) {
        String address = configuration.getTrimmed(CommonConfigurationKeys.ZK_ADDRESS, "");
        if (address.isEmpty() || context.credentials().zkSecret().isEmpty()) {
            LOG.info(
                    "{} is not set: the scheduler does not learn this job's profile",
                    CommonConfigurationKeys.ZK_ADDRESS);
            return new ZooKeeperAccess(Optional.empty());
        }
        Supplier<CuratorFramework> clients = () -> CuratorFrameworkFactory.builder()
                .connectString(address)
                .sessionTimeoutMs(configuration.getInt(CommonConfigurationKeys.ZK_TIMEOUT_MS, 10_000))
                .connectionTimeoutMs(5_000)
                .retryPolicy(new RetryOneTime(200))
                .authorization(
                        "digest",
                        JobAcl.authentication(
                                applicationId, context.credentials().zkSecret()))
                .build();
        return new ZooKeeperAccess(Optional.of(new ZooKeeperJobNode(
                new PausingZooKeeper(clients, System::nanoTime),
                applicationId,
                JobAcl.of(
                        applicationId,
                        context.credentials().zkSecret(),
                        configuration.getTrimmed(JobAcl.RM_ACL, "")))));
    }

    /** The job's state machine, for callbacks that are made before it. */
    private static final class JobHolder {
        private volatile Optional<JobMaster> job = Optional.empty();

        void set(JobMaster newJob) {
            job = Optional.of(newJob);
        }

        JobMaster job() {
            return job.orElseThrow();
        }
    }
}
