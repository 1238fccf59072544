// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.conf.AmConf;
import io.treadle.am.launch.RunnerLaunch;
import io.treadle.am.launch.StagedFiles;
import io.treadle.am.launch.YarnResources;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.am.web.AmServer;
import io.treadle.am.web.ProxyGate;
import io.treadle.am.yarn.AmCredentials;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.YarnEvents;
import io.treadle.am.yarn.YarnNmGateway;
import io.treadle.am.yarn.YarnRmGateway;
import io.treadle.core.wire.WireFormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Main class of a training job's ApplicationMaster: wires the job's state machine to YARN and runs it to its end. */
public final class TreadleAppMaster {
    private static final Logger LOG = LoggerFactory.getLogger(TreadleAppMaster.class);

    private static final long TICK_MS = 250;
    private static final long KNOWN_PROFILE_MS = 2_000;
    /** Time for runners to hear that the job is over, before the ResourceManager ends what is left. */
    private static final long FAREWELL_MS = 1_500;

    private static final int MAX_DIAGNOSTICS = 8_000;

    private final Configuration configuration;
    private final ContainerId containerId;
    private final String user;
    private final AmCredentials credentials;
    private final Staging staging;
    private final AtomicBoolean abandoned = new AtomicBoolean();

    private TreadleAppMaster(
            Configuration configuration,
            ContainerId containerId,
            String user,
            AmCredentials credentials,
            Staging staging) {
        this.configuration = configuration;
        this.containerId = containerId;
        this.user = user;
        this.credentials = credentials;
        this.staging = staging;
    }

    public static void main(String[] args) {
        int code = 1;
        try {
            code = create().run();
        } catch (Throwable e) { // Client threads are no daemons: without an exit the job would hang.
            LOG.error("the ApplicationMaster has failed", e);
        }
        System.exit(code);
    }

    private static TreadleAppMaster create() throws IOException {
        Configuration configuration = new YarnConfiguration();
        configuration.addResource(
                new Path(java.nio.file.Path.of("treadle-client.xml").toUri()));
        // The node's own configuration may lack the resource types that the client knows from the cluster.
        ResourceUtils.resetResourceTypes(configuration);
        return new TreadleAppMaster(
                configuration,
                ContainerId.fromString(required(ApplicationConstants.Environment.CONTAINER_ID.name())),
                required(ApplicationConstants.Environment.USER.name()),
                AmCredentials.current(),
                new Staging(configuration, new Path(required(Staging.ENV))));
    }

    private static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException("environment variable " + variable
                    + " is missing.\nMaybe this was started by hand: only YARN starts the ApplicationMaster.");
        }
        return value;
    }

    /** Returns the process's exit code: non-zero makes YARN start another attempt. */
    private int run() throws Exception {
        String host = System.getenv(ApplicationConstants.Environment.NM_HOST.name());
        String address = host == null ? java.net.InetAddress.getLocalHost().getHostName() : host;
        YarnEvents events = new YarnEvents(() -> abandoned.set(true));
        AMRMClientAsync<ContainerRequest> rmClient =
                AMRMClientAsync.createAMRMClientAsync(AmConf.from(configuration).heartbeatMs(), events);
        rmClient.init(configuration);
        try (AmServer server = AmServer.start(credentials.jobSecret())) {
            rmClient.start();
            address = address + ":" + server.port();
            RegisterApplicationMasterResponse registered = rmClient.registerApplicationMaster(
                    address.substring(0, address.lastIndexOf(':')), server.port(), "http://" + address + "/");
            Outcome outcome;
            try {
                outcome = runJob(rmClient, events, server, address, registered);
            } catch (IllegalArgumentException e) {
                // A mistake in the job or its configuration: another attempt would fail alike.
                LOG.error("the job cannot run", e);
                outcome = new Outcome(false, String.valueOf(e.getMessage()));
            }
            if (abandoned.get()) {
                LOG.warn("the ResourceManager ends this attempt");
                return 1;
            }
            unregister(rmClient, outcome);
            // Not before: if this process ended in between, the next attempt would need them.
            cleanUp(outcome);
            return 0;
        } finally {
            rmClient.stop();
        }
    }

    private Outcome runJob(
            AMRMClientAsync<ContainerRequest> rmClient,
            YarnEvents events,
            AmServer server,
            String address,
            RegisterApplicationMasterResponse registered)
            throws IOException, InterruptedException {
        JobSpec spec = JobSpecParser.fromJson(Files.readString(java.nio.file.Path.of("job.json")));
        AmConf conf = AmConf.from(configuration);
        String applicationId =
                containerId.getApplicationAttemptId().getApplicationId().toString();
        List<Resource> sizes = spec.groups().stream().map(YarnResources::of).toList();
        YarnRmGateway rm = new YarnRmGateway(rmClient, sizes);
        RunnerLaunch launch = new RunnerLaunch(
                StagedFiles.of(spec, staging.fileSystem(), staging.directory()),
                address,
                conf.amTimeoutSeconds(),
                conf.stopGraceSeconds(),
                credentials.forRunners());
        JobHolder holder = new JobHolder();
        NMClientAsync nmClient = NMClientAsync.createNMClientAsync(
                new YarnNmGateway.Callbacks((id, cause) -> holder.job().onStartFailed(id, cause)));
        nmClient.getClient().cleanupRunningContainersOnStop(false);
        nmClient.init(configuration);
        nmClient.start();
        try (HttpRunnerGateway runners = new HttpRunnerGateway(address, credentials.jobSecret());
                BackgroundStateStore store = new BackgroundStateStore(staging);
                ZooKeeperAccess zooKeeper = zooKeeper(applicationId)) {
            JobIdentity identity = new JobIdentity(
                    applicationId,
                    containerId.getApplicationAttemptId().getAttemptId(),
                    user,
                    staging.checkpointDir(spec.checkpointDir()),
                    gpuModel(spec));
            JobMaster job = new JobMaster(
                    identity,
                    spec,
                    MasterSettings.of(
                            conf,
                            spec,
                            registered.getMaximumResourceCapability().getVirtualCores(),
                            ResourceUtils.getResourceTypes().containsKey(YarnResources.POWER)),
                    JobClock.SYSTEM,
                    new Outside(
                            rm, new YarnNmGateway(nmClient, rm, launch::contextFor), runners, store, zooKeeper.node()));
            holder.set(job);
            List<GrantedContainer> inherited = new ArrayList<>();
            registered.getContainersFromPreviousAttempts().forEach(c -> inherited.add(rm.known(c)));
            job.start(savedState(), inherited);
            events.connect(rm, job);
            server.serve(job);
            server.showPage(job::status, proxyGate(applicationId));
            zooKeeper.followMemory(job::readsData, job::onMemoryWanted);
            boolean placed = false;
            while (job.outcome().isEmpty() && !abandoned.get()) {
                if (!placed && job.hasContainers()) {
                    // Which profile fits depends on the GPUs that the job got.
                    placed = true;
                    zooKeeper.awaitKnownProfile(spec.modelTag(), KNOWN_PROFILE_MS, job::onKnownProfile);
                }
                job.tick();
                TimeUnit.MILLISECONDS.sleep(TICK_MS);
            }
            Outcome outcome = job.outcome().orElse(new Outcome(false, "ended by the ResourceManager"));
            if (!abandoned.get()) {
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
        String applicationId =
                containerId.getApplicationAttemptId().getApplicationId().toString();
        try {
            staging.writeRecord(
                    applicationId,
                    job.status().toRecord(outcome.succeeded() ? "SUCCEEDED" : "FAILED", outcome.diagnostics()));
        } catch (IOException e) {
            LOG.warn("the job's record could not be kept", e);
        }
    }

    private void cleanUp(Outcome outcome) {
        try {
            staging.clean(outcome.succeeded());
        } catch (FileNotFoundException e) {
            LOG.debug("the client was faster", e);
        } catch (IOException e) {
            LOG.warn("staging directory {} could not be removed", staging.directory(), e);
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

    private ProxyGate proxyGate(String applicationId) {
        List<String> proxies = WebAppUtils.getProxyHostsAndPortsForAmFilter(configuration);
        return new ProxyGate(
                proxies.stream()
                        .map(proxy -> proxy.substring(0, proxy.lastIndexOf(':')))
                        .toList(),
                WebAppUtils.getHttpSchemePrefix(configuration) + proxies.get(0) + "/proxy/" + applicationId);
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
        if (address.isEmpty() || credentials.zkSecret().isEmpty()) {
            LOG.info(
                    "{} is not set: the scheduler does not learn this job's profile",
                    CommonConfigurationKeys.ZK_ADDRESS);
            return new ZooKeeperAccess(Optional.empty());
        }
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(address)
                .sessionTimeoutMs(configuration.getInt(CommonConfigurationKeys.ZK_TIMEOUT_MS, 10_000))
                .connectionTimeoutMs(5_000)
                .retryPolicy(new RetryOneTime(200))
                .authorization("digest", JobAcl.authentication(applicationId, credentials.zkSecret()))
                .build();
        return new ZooKeeperAccess(Optional.of(new ZooKeeperJobNode(
                client,
                applicationId,
                JobAcl.of(applicationId, credentials.zkSecret(), configuration.getTrimmed(JobAcl.RM_ACL, "")))));
    }

    private static void unregister(AMRMClientAsync<ContainerRequest> rmClient, Outcome outcome)
            throws YarnException, IOException {
        String diagnostics = outcome.diagnostics();
        rmClient.unregisterApplicationMaster(
                outcome.succeeded() ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED,
                diagnostics.length() <= MAX_DIAGNOSTICS ? diagnostics : diagnostics.substring(0, MAX_DIAGNOSTICS),
                "");
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
