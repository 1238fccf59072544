// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.AmConf;
import io.treadle.am.conf.ClientConf;
import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.spec.ArchiveName;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.core.resource.ResourceVector;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits jobs to a cluster and follows them, and finds services. One client may be used for any number of jobs, by one thread at a time. */
public final class TreadleClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TreadleClient.class);

    private final Configuration conf;
    private final ClientConf settings;
    private final YarnGateway gateway;
    private final ShutdownHooks hooks;
    private final WebConnections connections;
    private final WebPages pages;
    private final ResourceManagerRest rest;
    private final SchedulerView scheduler;
    private final StaleStaging staleStaging;

    TreadleClient(Configuration conf, YarnGateway gateway, ShutdownHooks hooks) {
        this.conf = conf;
        this.settings = ClientConf.from(conf);
        this.gateway = gateway;
        this.hooks = hooks;
        this.staleStaging = new StaleStaging(gateway);
        this.connections = new WebConnections(conf);
        this.pages = new WebPages(connections, settings.statusTimeoutMs());
        this.rest = new ResourceManagerRest(conf, connections);
        this.scheduler = new SchedulerView(rest);
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
            // Asking YARN for an application would use an application id up.
            check(spec, new LargestContainer(gateway, rest).find());
            return spec;
        });
    }

    private SpecChecks check(JobSpec spec, ResourceVector largest) throws IOException, YarnException {
        AmConf.from(conf);
        SpecChecks checks = new SpecChecks(
                ClusterView.read(gateway, largest), scheduler::mayGrow, () -> new LargestContainer(gateway, rest)
                        .limits());
        checks.check(spec);
        new UserFiles(conf).check(spec);
        AmJar.find(settings);
        return checks;
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
            SpecChecks checks = check(spec, YarnResources.toVector(created.largest()));
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
        return JobStatus.of(report, master(report));
    }

    /** What the ApplicationMaster itself says, by the proxy; empty where it cannot be reached. */
    Optional<MasterStatus> master(ApplicationReport report) {
        return report.getYarnApplicationState() == YarnApplicationState.RUNNING
                ? TrackingUrl.of(report, conf)
                        .flatMap(url -> pages.read(url + "status.json"))
                        .flatMap(MasterStatus::parse)
                : Optional.empty();
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

    /** What the scheduler says of jobs and queues. */
    SchedulerView scheduler() {
        return scheduler;
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
     * Follows the job to its end and removes what its end may have left on the file system. YARN's own report is read
     * once in each interval of {@code treadle.client.poll-interval-ms}, and pages, which the ResourceManager logs, as
     * {@link PageInterval} says.
     *
     * @return the final status
     * @throws ClientException if YARN forgets the application or cannot be reached
     */
    public JobStatus follow(ApplicationId id, JobListener listener) throws InterruptedException {
        JobFollower follower = new JobFollower(this, id, PageInterval.of(settings, System::nanoTime));
        while (true) {
            JobStatus status = follower.look();
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
        connections.close();
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
