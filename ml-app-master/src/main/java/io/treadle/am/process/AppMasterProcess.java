// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import io.treadle.am.conf.AmConf;
import io.treadle.am.web.AmServer;
import io.treadle.am.yarn.AmCredentials;
import io.treadle.am.yarn.ResourceManagerClient;
import io.treadle.am.yarn.RmLink;
import io.treadle.am.yarn.YarnEvents;
import io.treadle.core.hadoop.HadoopVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An ApplicationMaster's process: registers it, has its application run, and tells the ResourceManager how that ended. */
public final class AppMasterProcess {
    private static final Logger LOG = LoggerFactory.getLogger(AppMasterProcess.class);

    private static final int MAX_DIAGNOSTICS = 8_000;
    private static final long REGISTRATION_MS = 5_000;

    private final Application.Factory factory;
    private final AtomicBoolean abandoned = new AtomicBoolean();

    private AppMasterProcess(Application.Factory factory) {
        this.factory = factory;
    }

    /** Does not return: the process ends with the application. */
    public static void run(Application.Factory factory) {
        int code = 1;
        try {
            code = new AppMasterProcess(factory).run();
        } catch (Throwable e) { // Client threads are no daemons: without an exit the application would hang.
            LOG.error("the ApplicationMaster has failed", e);
        }
        System.exit(code);
    }

    private static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException("environment variable " + variable
                    + " is missing.\nMaybe this was started by hand: only YARN starts the ApplicationMaster.");
        }
        return value;
    }

    private static Configuration configuration() {
        Configuration configuration = new YarnConfiguration();
        configuration.addResource(
                new Path(java.nio.file.Path.of("treadle-client.xml").toUri()));
        // The node's own configuration may lack the resource types that the client knows from the cluster.
        ResourceUtils.resetResourceTypes(configuration);
        return configuration;
    }

    private static long recoveryMs(Configuration configuration) {
        return configuration.getLong(
                YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS,
                YarnConfiguration.DEFAULT_RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS);
    }

    /** Nodes look for a ResourceManager that takes over in intervals. */
    private static long lateMs(Configuration configuration) {
        return recoveryMs(configuration)
                + configuration.getLong(
                        YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS,
                        YarnConfiguration.DEFAULT_RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS)
                + REGISTRATION_MS;
    }

    /** Returns the process's exit code: non-zero makes YARN start another attempt. */
    private int run() throws Exception {
        HadoopVersion hadoop = new HadoopVersion(VersionInfo.getVersion());
        if (hadoop.refusal().isPresent()) {
            throw new IllegalStateException(hadoop.refusal().get());
        }
        hadoop.warning().ifPresent(LOG::warn);
        Configuration configuration = configuration();
        AmCredentials credentials = AmCredentials.current();
        Staging staging = new Staging(configuration, new Path(required(Staging.ENV)));
        String host = System.getenv(Environment.NM_HOST.name());
        YarnEvents events = new YarnEvents(() -> abandoned.set(true));
        int heartbeatMs = AmConf.from(configuration).heartbeatMs();
        RmLink link = new RmLink(heartbeatMs, recoveryMs(configuration), System::nanoTime);
        AMRMClientAsync<ContainerRequest> client =
                AMRMClientAsync.createAMRMClientAsync(new ResourceManagerClient(events, link), heartbeatMs, events);
        client.init(configuration);
        try (AmServer server = AmServer.start(credentials.jobSecret())) {
            AppMasterContext context = new AppMasterContext(
                    configuration,
                    ContainerId.fromString(required(Environment.CONTAINER_ID.name())),
                    required(Environment.USER.name()),
                    credentials,
                    staging,
                    host == null ? java.net.InetAddress.getLocalHost().getHostName() : host,
                    server);
            client.start();
            Outcome outcome = run(context, client, events, link);
            if (abandoned.get()) {
                LOG.warn("the ResourceManager ends this attempt");
                return 1;
            }
            unregister(client, outcome);
            // Not before: if this process ended in between, the next attempt would need them.
            cleanUp(staging, outcome);
            return 0;
        } finally {
            client.stop();
        }
    }

    private Outcome run(
            AppMasterContext context, AMRMClientAsync<ContainerRequest> client, YarnEvents events, RmLink link)
            throws Exception {
        Optional<Application> made = Optional.empty();
        String mistake = "";
        try {
            made = Optional.of(factory.create(context));
        } catch (IllegalArgumentException e) {
            if (e.getCause() instanceof UnknownHostException) {
                // Hadoop's file systems say it so. The next attempt may find the name.
                throw new IOException("a name does not resolve now", e);
            }
            LOG.error("the application cannot run", e);
            mistake = String.valueOf(e.getMessage());
        }
        int port = made.map(Application::port).orElse(context.server().port());
        RegisterApplicationMasterResponse response =
                client.registerApplicationMaster(context.host(), port, "http://" + context.address() + "/");
        if (made.isEmpty()) {
            return new Outcome(false, mistake);
        }
        try (Application application = made.get()) {
            return application.run(new Application.Registered(
                    client, events, link, response, lateMs(context.configuration()), abandoned::get));
        }
    }

    private static void cleanUp(Staging staging, Outcome outcome) {
        try {
            staging.clean(outcome.succeeded());
        } catch (FileNotFoundException e) {
            LOG.debug("the client was faster", e);
        } catch (IOException e) {
            LOG.warn("staging directory {} could not be removed", staging.directory(), e);
        }
    }

    private static void unregister(AMRMClientAsync<ContainerRequest> client, Outcome outcome)
            throws YarnException, IOException {
        String diagnostics = outcome.diagnostics();
        client.unregisterApplicationMaster(
                outcome.succeeded() ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED,
                diagnostics.length() <= MAX_DIAGNOSTICS ? diagnostics : diagnostics.substring(0, MAX_DIAGNOSTICS),
                "");
    }
}
