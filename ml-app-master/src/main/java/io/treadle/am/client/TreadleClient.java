// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.am.conf.AmConf;
import io.treadle.am.conf.ClientConf;
import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.spec.ArchiveName;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpecParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits jobs to a cluster and follows them, and finds services. One client may be used for any number of jobs, by one thread at a time. */
public final class TreadleClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TreadleClient.class);

    private final Configuration conf;
    private final ClientConf settings;
    private final YarnGateway gateway;
    private final ShutdownHooks hooks;
    private final WebPages pages;
    private final StaleStaging staleStaging;

    TreadleClient(Configuration conf, YarnGateway gateway, ShutdownHooks hooks) {
        this.conf = conf;
        this.settings = ClientConf.from(conf);
        this.gateway = gateway;
        this.hooks = hooks;
        this.staleStaging = new StaleStaging(gateway);
        this.pages = new WebPages(settings.statusTimeoutMs());
    }

    /**
     * Connects to the cluster that {@code conf} names.
     *
     * @throws ClientException if the ResourceManager cannot be reached
     */
    public static TreadleClient connect(Configuration conf) {
        Configuration own = new Configuration(conf);
        return calling(
                "the ResourceManager cannot be reached",
                () -> new TreadleClient(own, HadoopYarnGateway.connect(own), ShutdownHooks.hadoop()));
    }

    /**
     * Checks whether the cluster could ever run the job; submits nothing.
     *
     * @throws ClientException if not, with numbers
     */
    public void check(JobSpec spec) {
        calling("the job could not be checked", () -> {
            check(spec, gateway.create());
            return spec;
        });
    }

    private SpecChecks check(JobSpec spec, YarnGateway.NewApplication created) throws IOException, YarnException {
        AmConf.from(conf);
        SpecChecks checks = new SpecChecks(ClusterView.read(gateway, created.largest()), this::mayWakeNodes);
        checks.check(spec);
        new UserFiles(conf).check(spec);
        AmJar.find(settings);
        return checks;
    }

    /** Whether nodes are switched off, or the scheduler does not know yet which are. */
    private boolean mayWakeNodes() {
        try {
            JsonNode power = new ResourceManagerRest(conf).call("GET", "power?history=hour", Optional.empty());
            return !power.path("asleep").isEmpty() || !power.path("asleepKnown").asBoolean(true);
        } catch (ClientException e) {
            LOG.debug("the scheduler's page cannot be read", e);
            return false;
        }
    }

    /**
     * Submits the job and returns when the ResourceManager has accepted it. If anything fails before, or the process is
     * told to end, neither files nor an application stay behind.
     *
     * @throws ClientException if the job cannot be submitted
     */
    public ApplicationId submit(JobSpec spec) {
        return submit(Submittable.job(spec));
    }

    /**
     * Checks whether the cluster could ever run the service with as many workers as it has at least; submits nothing.
     *
     * @throws ClientException if not, with numbers
     */
    void check(ServiceFile service) {
        new UserFiles(conf).check(service);
        check(service.containers(settings));
    }

    /**
     * Starts the service that a file describes, and returns when the ResourceManager has accepted it.
     *
     * @param users who may ask, a JSON object of their secrets
     * @throws ClientException if it cannot be submitted
     */
    public ApplicationId serve(java.nio.file.Path file, String users) {
        return serve(ServiceFile.read(file), users);
    }

    ApplicationId serve(ServiceFile service, String users) {
        new UserFiles(conf).check(service);
        return submit(Submittable.service(
                service.containers(settings),
                Map.of(ServiceProtocol.SPEC_FILE, service.text()),
                Map.of(ServiceProtocol.USERS_FILE, users)));
    }

    /** Between two looks at an application. */
    void pause() throws InterruptedException {
        Thread.sleep(settings.pollIntervalMs());
    }

    ApplicationId submit(Submittable what) {
        JobSpec spec = what.spec();
        return calling("the job could not be submitted", () -> {
            YarnGateway.NewApplication created = gateway.create();
            SpecChecks checks = check(spec, created);
            StagingDirectory staging = StagingDirectory.of(conf, settings, created.id());
            Submission submission = new Submission(gateway, created.id(), staging);
            try (ShutdownHooks.Registration hook = hooks.add(submission::abandon)) {
                stageAndSend(submission, created.id(), staging, what);
                return created.id();
            } catch (IOException | YarnException | RuntimeException e) {
                submission.abandon();
                if (String.valueOf(e.getMessage()).contains("to unknown queue: ")) {
                    throw checks.noQueue(spec.queue());
                }
                throw e;
            }
        });
    }

    private void stageAndSend(Submission submission, ApplicationId id, StagingDirectory staging, Submittable what)
            throws IOException, YarnException {
        submission.step(() -> {
            staging.create();
            return id;
        });
        staleStaging.sweepBeside(staging);
        ApplicationSubmissionContext context;
        try (SignsOfLife life = new SignsOfLife(staging)) {
            context = stage(submission, id, staging, what);
        }
        submission.send(context);
    }

    private ApplicationSubmissionContext stage(
            Submission submission, ApplicationId id, StagingDirectory staging, Submittable what)
            throws IOException, YarnException {
        JobSpec spec = what.spec();
        Map<String, LocalResource> resources = new LinkedHashMap<>();
        resources.put(
                StagingDirectory.AM_JAR,
                submission.step(() -> staging.putLocal(AmJar.find(settings), StagingDirectory.AM_JAR)));
        byte[] job = JobSpecParser.toJson(spec).getBytes(StandardCharsets.UTF_8);
        resources.put(StagingDirectory.JOB, submission.step(() -> staging.put(job, StagingDirectory.JOB)));
        resources.put(
                StagingDirectory.CLIENT_CONF,
                submission.step(() -> staging.put(confXml(), StagingDirectory.CLIENT_CONF)));
        for (Map.Entry<String, String> text : what.texts().entrySet()) {
            resources.put(text.getKey(), submission.step(() -> staging.put(text.getValue(), text.getKey())));
        }
        for (Map.Entry<String, String> secret : what.secrets().entrySet()) {
            submission.step(() -> staging.put(secret.getValue(), secret.getKey()));
        }
        upload(submission, staging, spec.files(), "files", FileSpec::link);
        upload(submission, staging, spec.archives(), "archives", ArchiveName::staged);
        JobSecrets secrets = JobSecrets.random(new SecureRandom());
        ByteBuffer credentials = submission.step(() -> JobSecrets.serialize(secrets.credentials(
                conf,
                staging.fileSystem(),
                spec.checkpointDir().map(Path::new).map(List::of).orElse(List.of()))));
        return new SubmissionContexts(conf, settings)
                .build(id, what, secrets.zkDigest(id.toString()), staging.path().toString(), resources, credentials);
    }

    private void upload(
            Submission submission,
            StagingDirectory staging,
            List<FileSpec> files,
            String folder,
            Function<FileSpec, String> name)
            throws IOException, YarnException {
        UserFiles userFiles = new UserFiles(conf);
        for (FileSpec file : files) {
            submission.step(() -> {
                staging.putUser(userFiles, file, folder, name.apply(file));
                return file;
            });
        }
    }

    private byte[] confXml() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        conf.writeXml(out);
        return out.toByteArray();
    }

    /** @throws ClientException if YARN does not know the application or cannot be reached */
    public ApplicationReport report(ApplicationId id) {
        return calling(id + " could not be looked up", () -> gateway.report(id));
    }

    /**
     * YARN's report with what the ApplicationMaster itself says, where that can be reached.
     *
     * @throws ClientException if YARN does not know the application or cannot be reached
     */
    public JobStatus status(ApplicationId id) {
        ApplicationReport report = report(id);
        Optional<MasterStatus> master = report.getYarnApplicationState() == YarnApplicationState.RUNNING
                ? TrackingUrl.of(report, conf)
                        .flatMap(url -> pages.read(url + "status.json"))
                        .flatMap(MasterStatus::parse)
                : Optional.empty();
        return JobStatus.of(report, master);
    }

    /**
     * Where a service answers, with the caller's secret from its staging directory.
     *
     * @throws UnansweredException if the service is not there yet, or is being started again
     * @throws ClientException if the application is no service, is over, or has no secret for the caller
     */
    public ServiceAddress service(ApplicationId id) {
        // First whether there is a service at all: what has never been one has no secrets either.
        ServiceAddress found = service(id, "");
        String secret = calling(
                "the secret of " + id + " could not be read",
                () -> ServiceUsers.secret(
                        StagingDirectory.of(conf, settings, id),
                        UserGroupInformation.getCurrentUser().getShortUserName()));
        return new ServiceAddress(found.host(), found.port(), secret);
    }

    /** As {@link #service(ApplicationId)}, with a secret that the caller has from elsewhere. */
    ServiceAddress service(ApplicationId id, String secret) {
        ApplicationReport report = report(id);
        ServiceReport.check(report);
        return new ServiceAddress(report.getHost(), report.getRpcPort(), secret);
    }

    /** Why the job waits, in the scheduler's own words; empty where the scheduler does not say. */
    public Optional<JobReason> reason(ApplicationId id) {
        try {
            return WebAppUtils.<ApplicationId, Optional<JobReason>>execOnActiveRM(
                    conf,
                    (address, job) ->
                            pages.read(address + "/ws/v1/treadle/jobs/" + job).flatMap(JobReason::parse),
                    id);
        } catch (Exception e) {
            LOG.debug("the scheduler's page cannot be read", e);
            return Optional.empty();
        }
    }

    /** How near the choice of a queue's jobs comes to the best, in lines; none where nobody chooses, or it cannot be read. */
    public List<String> certificates(String queue) {
        try {
            return WebAppUtils.<String, List<String>>execOnActiveRM(
                    conf,
                    (address, path) -> pages.read(address + path)
                            .map(text -> QueueCertificates.parse(text, queue))
                            .orElse(List.of()),
                    "/ws/v1/treadle/queues");
        } catch (Exception e) {
            LOG.debug("the scheduler's queues cannot be read", e);
            return List.of();
        }
    }

    /** Jobs of all users that are not over. */
    public List<JobStatus> activeJobs() {
        return calling("the jobs could not be listed", gateway::activeJobs).stream()
                .map(report -> JobStatus.of(report, Optional.empty()))
                .toList();
    }

    /**
     * Kills the job, returns when it is dead and removes its files, all but its checkpoints.
     *
     * @throws ClientException if YARN does not know the application, refuses or cannot be reached
     */
    public void kill(ApplicationId id) {
        calling(id + " could not be killed", () -> {
            gateway.kill(id, "killed by its user");
            return id;
        });
        removeLeftovers(id, false);
    }

    /**
     * Follows the job to its end and removes what its end may have left on the file system.
     *
     * @return the final status
     * @throws ClientException if YARN forgets the application or cannot be reached
     */
    public JobStatus follow(ApplicationId id, JobListener listener) throws InterruptedException {
        while (true) {
            JobStatus status = status(id);
            listener.seen(status);
            if (status.isOver()) {
                removeLeftovers(id, status.succeeded());
                return status;
            }
            Thread.sleep(settings.pollIntervalMs());
        }
    }

    /** The ApplicationMaster does this itself unless it was killed, or never started. */
    void removeLeftovers(ApplicationId id, boolean succeeded) {
        try {
            StagingDirectory.of(conf, settings, id).deleteAfter(succeeded);
        } catch (IOException e) {
            LOG.warn("the files of {} could not be removed", id, e);
        }
    }

    @Override
    public void close() {
        gateway.close();
    }

    private interface Call<T> {
        T run() throws IOException, YarnException;
    }

    private static <T> T calling(String failure, Call<T> call) {
        try {
            return call.run();
        } catch (IOException | YarnException e) {
            throw new ClientException(failure + ": " + Causes.message(e), e);
        }
    }
}
