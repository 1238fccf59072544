// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** A job of two workers with one GPU each, submitted as people do it; it trains until {@link #finish}. */
final class TrainingJob {
    static final int WORKERS = 2;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ProcessCluster cluster;
    private final String name;
    private final Path trace;
    private final JavaProcess client;
    private String id = "";

    /**
     * A worker as it has written about itself when it started.
     *
     * @param samples that its checkpoint had
     * @param resources its container's resources.json
     */
    record Worker(int rank, long pid, long samples, String container, Path resources, String devices) {}

    /** What a container holds. */
    record Size(long vcores, long memoryMiB) {}

    private TrainingJob(ProcessCluster cluster, String name, Path trace, JavaProcess client) {
        this.cluster = cluster;
        this.name = name;
        this.trace = trace;
        this.client = client;
    }

    /**
     * @param vcores that each worker asks for
     * @param profiled whether its speed is found out, so that the scheduler resizes it
     */
    static TrainingJob submit(ProcessCluster cluster, String name, int vcores, boolean profiled) throws IOException {
        return submit(cluster, name, vcores, profiled, "");
    }

    /** @param further lines of the job file, of the job itself; {@code %s} is the directory of what the workers write */
    static TrainingJob submit(ProcessCluster cluster, String name, int vcores, boolean profiled, String further)
            throws IOException {
        Path home = Files.createDirectories(cluster.directory().resolve("job-" + name));
        Path trace = Files.createDirectories(home.resolve("trace"));
        try (InputStream worker =
                Objects.requireNonNull(TrainingJob.class.getResourceAsStream("/processes/worker.py"))) {
            Files.copy(worker, home.resolve("worker.py"));
        }
        Path spec = home.resolve("job.yaml");
        Files.writeString(
                spec,
                """
                name: %s
                queue: ml
                files: [worker.py]
                env: {TRACE: "%s"}
                profiling: {enabled: %b}
                tasks:
                  worker:
                    count: %d
                    gpusPerWorker: 1
                    vcores: %d
                    memory: 512Mi
                    command: python3 worker.py
                """
                                .formatted(name, trace, profiled, WORKERS, vcores)
                        + further.formatted(trace));
        JavaProcess client =
                cluster.yarnJar("client-" + name, JarDirectories.amJar().toString(), spec.toString());
        client.start();
        return new TrainingJob(cluster, name, trace, client);
    }

    /** The job as the scheduler's REST has it; empty where it is not in the cluster. */
    Optional<JsonNode> view() throws IOException, InterruptedException {
        JsonNode jobs = cluster.rest().get("/ws/v1/treadle/jobs").path("jobs");
        return StreamSupport.stream(jobs.spliterator(), false)
                .filter(job -> job.path("name").asText().equals(name))
                .findFirst();
    }

    /** All that the scheduler and the workers say of the job, for whoever reads why a test failed. */
    String describe() {
        try {
            return "at the workers " + sizesAtTheWorkers() + ", at the scheduler " + view();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }

    String name() {
        return name;
    }

    /** Also where no scheduler of ours can be asked any more. */
    String id() {
        if (id.isEmpty()) {
            id = Await.value("submission of " + name, () -> view().map(
                            job -> job.path("applicationId").asText()));
        }
        return id;
    }

    /** By container id, what the ResourceManager says that the workers' containers hold. */
    Map<String, Size> sizesAtTheResourceManager() throws IOException, InterruptedException {
        Map<String, Size> sizes = new TreeMap<>();
        view().ifPresent(job -> job.path("containers")
                .forEach(c -> sizes.put(
                        c.path("containerId").asText(),
                        new Size(c.path("vcores").asLong(), c.path("memoryMiB").asLong()))));
        return sizes;
    }

    /** By container id, what the NodeManagers say to the workers. */
    Map<String, Size> sizesAtTheWorkers() throws IOException {
        Map<String, Size> sizes = new TreeMap<>();
        for (Worker worker : workers()) {
            JsonNode file = resources(worker);
            sizes.put(
                    worker.container(),
                    new Size(
                            file.path("vcores").asLong(), file.path("memoryMiB").asLong()));
        }
        return sizes;
    }

    static JsonNode resources(Worker worker) throws IOException {
        return MAPPER.readTree(worker.resources().toFile());
    }

    /** The workers that were started last, by rank; those that have not been are left out. */
    List<Worker> workers() throws IOException {
        List<Worker> workers = new ArrayList<>();
        for (int rank = 0; rank < WORKERS; rank++) {
            Path file = trace.resolve("rank-" + rank + ".json");
            if (Files.exists(file)) {
                JsonNode json = MAPPER.readTree(file.toFile());
                workers.add(new Worker(
                        rank,
                        json.path("pid").asLong(),
                        json.path("samples").asLong(),
                        json.path("container").asText(),
                        Path.of(json.path("resources").asText()),
                        json.path("devices").asText()));
            }
        }
        return workers;
    }

    static boolean isAlive(Worker worker) {
        return ProcessHandle.of(worker.pid()).filter(ProcessHandle::isAlive).isPresent();
    }

    /** Waits until all workers train and have a checkpoint. */
    List<Worker> awaitTraining() {
        return awaitWorkers(() -> samples() > 0 && samplesInCheckpoints() > 0);
    }

    /** What {@link #awaitTraining} does where nobody tells the ResourceManager of samples. */
    List<Worker> awaitTrainingUnseen() {
        return awaitWorkers(() -> samplesInCheckpoints() > 0);
    }

    private List<Worker> awaitWorkers(Callable<Boolean> train) {
        return Await.value("training of " + name, () -> {
            checkRunning();
            List<Worker> workers = workers();
            boolean all = workers.size() == WORKERS && workers.stream().allMatch(TrainingJob::isAlive);
            return all && train.call() ? Optional.of(workers) : Optional.empty();
        });
    }

    /** Waits until every worker has trained on, whether or not anybody is told. */
    void awaitProgressUnseen() throws IOException {
        long before = samplesInCheckpoints();
        Await.until("more samples in the checkpoints of " + name, () -> {
            checkRunning();
            return samplesInCheckpoints() > before;
        });
    }

    /** Samples of the worker that is behind the others, as its checkpoint has them. */
    private long samplesInCheckpoints() throws IOException {
        long least = Long.MAX_VALUE;
        for (int rank = 0; rank < WORKERS; rank++) {
            least = Math.min(least, checkpoint(rank).path("samples").asLong());
        }
        return least;
    }

    /** By container id, the vcores that the workers train with: they look for them now and then. */
    Map<String, Long> vcoresInUse() throws IOException {
        Map<String, Long> vcores = new TreeMap<>();
        for (Worker worker : workers()) {
            vcores.put(
                    worker.container(), checkpoint(worker.rank()).path("vcores").asLong());
        }
        return vcores;
    }

    private JsonNode checkpoint(int rank) throws IOException {
        Path checkpoints = cluster.staging().resolve(id()).resolve("checkpoints");
        return MAPPER.readTree(checkpoints.resolve("rank-" + rank + ".json").toFile());
    }

    /** Samples of all workers, as their ApplicationMaster has reported them. */
    long samples() throws IOException, InterruptedException {
        return view().map(job -> job.path("samples").asLong()).orElse(0L);
    }

    long restarts() throws IOException, InterruptedException {
        return view().map(job -> job.path("restarts").asLong()).orElse(0L);
    }

    /** Waits until the ApplicationMaster has reported more samples than now. */
    void awaitProgress() throws IOException, InterruptedException {
        awaitProgress(this::checkRunning);
    }

    /** What {@link #awaitProgress} does where a daemon ends meanwhile. */
    void awaitProgressWhileADaemonEnds() throws IOException, InterruptedException {
        awaitProgress(this::checkClientRunning);
    }

    private void awaitProgress(Runnable check) throws IOException, InterruptedException {
        long before = samples();
        Await.until("more samples of " + name, () -> {
            check.run();
            return samples() > before;
        });
    }

    /** For conditions that only come true while the job runs. */
    void checkRunning() {
        cluster.checkAlive();
        checkClientRunning();
    }

    /** For conditions that come true while daemons are down. */
    void checkClientRunning() {
        if (client.hasEnded()) {
            throw new Await.HopelessException("the client has ended:\n" + client.tail());
        }
    }

    /** The process of the job's ApplicationMaster. */
    ProcessHandle appMaster() {
        String id = id();
        return Await.value("ApplicationMaster of " + name, () -> cluster.processes().stream()
                .filter(p -> p.info().command().orElse("").endsWith("/java"))
                .filter(p -> p.info().commandLine().orElse("").contains("TreadleAppMaster"))
                .filter(p -> workingDirectory(p).contains(id))
                .findFirst());
    }

    /** Place of the node that runs it. */
    int appMasterNode() {
        String directory = workingDirectory(appMaster());
        return IntStream.range(0, ProcessCluster.NODES)
                .filter(node -> directory.contains("/n" + node + "/local/"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no node runs in " + directory));
    }

    private static String workingDirectory(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** The job's user is gone; nothing else is. */
    void killClient() throws InterruptedException {
        client.kill();
    }

    /** Lets the workers come to their end, which nobody may follow. */
    void letFinish() throws IOException {
        Files.createFile(trace.resolve("finish"));
    }

    /** Lets the workers come to their end; returns the exit code of the client that follows the job. */
    int finish() throws IOException {
        letFinish();
        return client.exitCode();
    }

    String tail() {
        return client.tail();
    }
}
