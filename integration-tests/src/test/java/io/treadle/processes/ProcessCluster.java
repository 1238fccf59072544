// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.curator.utils.CloseableUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.client.cli.RMAdminCLI;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * A ResourceManager and two NodeManagers as processes of their own, from Hadoop's jars, ours and the files of {@code
 * conf/}; ZooKeeper is in this JVM. All end with {@link #close}, at the latest with this JVM.
 */
final class ProcessCluster implements AutoCloseable {
    /** A job of two GPUs lands on the first node; another such job needs a GPU of each. */
    private static final List<Integer> GPUS = List.of(3, 1);

    static final int NODES = GPUS.size();
    static final int NODE_VCORES = 12;

    private final Path directory;
    private final TestingServer zookeeper;
    private final Map<String, String> shared;
    private final JarDirectories jars;
    private final Path clientConf;
    private final String test;
    private final JavaProcess resourceManager;
    private final List<JavaProcess> nodeManagers = new ArrayList<>();
    private final Rest rest;
    private int adminCommands;
    private final Thread atExit = new Thread(this::killAll, "kill-cluster");

    private ProcessCluster(
            Path directory,
            TestingServer zookeeper,
            Map<String, String> settings,
            Function<String, Map<String, String>> nodeSettings)
            throws IOException {
        this.directory = directory;
        this.zookeeper = zookeeper;
        this.test = testOnTheStack();
        this.jars = JarDirectories.link(directory.resolve("hadoop"));
        this.clientConf = directory.resolve("conf-client");
        Ports ports = new Ports();
        this.shared = shared(ports);
        this.shared.putAll(settings);
        ConfDirectory.write(clientConf, with(Map.of("hadoop.tmp.dir", path("tmp-client"))));
        Path conf = resourceManagerWith(Map.of());
        this.resourceManager = new JavaProcess(
                "rm", directory.resolve("rm"), conf + ":" + jars.resourceManager(), ResourceManager.class.getName());
        for (int i = 0; i < NODES; i++) {
            String name = "n" + i;
            Map<String, String> own = node(name, GPUS.get(i), ports);
            own.putAll(nodeSettings.apply(name));
            Path nodeConf = ConfDirectory.write(directory.resolve("conf-" + name), with(own));
            nodeManagers.add(new JavaProcess(
                    name, directory.resolve(name), nodeConf + ":" + jars.nodeManager(), NodeManager.class.getName()));
        }
        this.rest = new Rest(Objects.requireNonNull(shared.get("yarn.resourcemanager.webapp.address")));
    }

    static ProcessCluster start() throws Exception {
        return start(Map.of(), List.of());
    }

    /** @param settings over those that every daemon and client has */
    static ProcessCluster start(Map<String, String> settings) throws Exception {
        return start(settings, List.of());
    }

    /** @param further jars that an admin puts beside Hadoop's */
    static ProcessCluster start(Map<String, String> settings, List<Path> further) throws Exception {
        return start(settings, node -> Map.of(), true, further);
    }

    /** @param nodeSettings further settings of a node, by its name: {@code n0}, {@code n1} */
    static ProcessCluster start(Map<String, String> settings, Function<String, Map<String, String>> nodeSettings)
            throws Exception {
        return start(settings, nodeSettings, true, List.of());
    }

    /** @param nodeSettings further settings of a node, by its name: {@code n0}, {@code n1} */
    static ProcessCluster start(Function<String, Map<String, String>> nodeSettings) throws Exception {
        return start(Map.of(), nodeSettings, true, List.of());
    }

    /** All but ZooKeeper is started, which is nowhere. */
    static ProcessCluster startWithoutZooKeeper() throws Exception {
        return start(Map.of(), node -> Map.of(), false, List.of());
    }

    /** Starts everything and waits until both nodes are registered. */
    private static ProcessCluster start(
            Map<String, String> settings,
            Function<String, Map<String, String>> nodeSettings,
            boolean withZooKeeper,
            List<Path> further)
            throws Exception {
        Path directory = Files.createTempDirectory("treadle-processes-").toRealPath();
        TestingServer zookeeper = new TestingServer(
                new Ports().next(),
                Files.createDirectory(directory.resolve("zookeeper")).toFile(),
                withZooKeeper);
        ProcessCluster cluster = new ProcessCluster(directory, zookeeper, settings, nodeSettings);
        Runtime.getRuntime().addShutdownHook(cluster.atExit);
        try {
            for (Path jar : further) {
                Files.copy(jar, cluster.jars.directory().resolve(jar.getFileName()));
            }
            cluster.resourceManager.start();
            for (JavaProcess node : cluster.nodeManagers) {
                node.start();
            }
            cluster.awaitNodes();
            return cluster;
        } catch (Exception | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private Map<String, String> shared(Ports ports) {
        Map<String, String> settings = new HashMap<>();
        settings.put("hadoop.zk.address", zookeeper.getConnectString());
        for (String address : List.of("", "scheduler.", "resource-tracker.", "admin.", "webapp.")) {
            settings.put("yarn.resourcemanager." + address + "address", "localhost:" + ports.next());
        }
        settings.put("yarn.application.classpath", clientConf + "," + jars.hadoop());
        settings.put("yarn.scheduler.include-port-in-node-name", "true");
        settings.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
        // Who misses the ResourceManager looks for it again soon.
        settings.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
        settings.put("ipc.client.connect.max.retries", "2");
        settings.put("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "1000");
        settings.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99");
        settings.put("treadle.staging-dir", "file://" + path("staging"));
        settings.put("treadle.history-dir", "file://" + path("history"));
        settings.put("treadle.client.poll-interval-ms", "200");
        settings.put("treadle.profile.step-min-seconds", "1");
        settings.put("treadle.profile.step-max-seconds", "6");
        settings.put("treadle.profile.settle-seconds", "0.5");
        settings.put("treadle.profile.grant-seconds", "3");
        return settings;
    }

    private Map<String, String> node(String name, int gpus, Ports ports) {
        String node = "yarn.nodemanager.";
        Map<String, String> settings = new HashMap<>();
        settings.put("hadoop.tmp.dir", path("tmp-" + name));
        settings.put(node + "hostname", "localhost");
        settings.put(node + "address", "localhost:" + ports.next());
        settings.put(node + "localizer.address", "localhost:" + ports.next());
        settings.put(node + "webapp.address", "localhost:" + ports.next());
        settings.put(node + "local-dirs", path(name + "/local"));
        settings.put(node + "log-dirs", path(name + "/logs"));
        settings.put(node + "recovery.dir", path(name + "/recovery"));
        settings.put(node + "recovery.supervised", "true");
        settings.put(node + "resource.memory-mb", "6144");
        settings.put(node + "resource.cpu-vcores", Integer.toString(NODE_VCORES));
        settings.put(node + "aux-services", "mapreduce_shuffle");
        settings.put(node + "aux-services.mapreduce_shuffle.class", "org.apache.hadoop.mapred.ShuffleHandler");
        settings.put("mapreduce.shuffle.port", Integer.toString(ports.next()));
        settings.put(node + "treadle.node-name", name);
        settings.put(node + "treadle.device-provider", "simulated");
        settings.put(node + "treadle.simulated-devices", gpus + "xA100-SXM4-40GB:40960:400");
        return settings;
    }

    private Map<String, String> with(Map<String, String> own) {
        Map<String, String> settings = new HashMap<>(shared);
        settings.putAll(own);
        return settings;
    }

    private String path(String relative) {
        return directory.resolve(relative).toString();
    }

    Path directory() {
        return directory;
    }

    Path staging() {
        return directory.resolve("staging");
    }

    /** Settings of a client of this cluster. */
    Configuration configuration() {
        Configuration configuration = new YarnConfiguration();
        for (String file : List.of("yarn-site.xml", "resource-types.xml")) {
            configuration.addResource(
                    new org.apache.hadoop.fs.Path(clientConf.resolve(file).toUri()));
        }
        return configuration;
    }

    /** What clients find in {@code HADOOP_CONF_DIR}. */
    Path clientConf() {
        return clientConf;
    }

    /** What {@code yarn jar} runs, with a working directory of its own. */
    JavaProcess yarnJar(String name, String... arguments) {
        List<String> all = new ArrayList<>(List.of("org.apache.hadoop.util.RunJar"));
        all.addAll(List.of(arguments));
        return new JavaProcess(
                name, directory.resolve(name), clientConf + ":" + jars.hadoop(), all.toArray(String[]::new));
    }

    /** Log of the ApplicationMasters of an application that runs. */
    String appMasterLog(String applicationId) throws IOException {
        StringBuilder log = new StringBuilder();
        try (Stream<Path> files = Files.find(
                directory,
                6,
                (file, attributes) ->
                        file.endsWith("AppMaster.stderr") && file.toString().contains(applicationId))) {
            for (Path file : files.sorted().toList()) {
                log.append(Files.readString(file));
            }
        }
        return log.toString();
    }

    String hadoopClassPath() {
        return jars.hadoop();
    }

    Rest rest() {
        return rest;
    }

    void stopZooKeeper() throws IOException {
        zookeeper.stop();
    }

    /** At the same address, with what it held before. */
    void startZooKeeper() throws Exception {
        zookeeper.restart();
    }

    /** Nothing answers any more, and nobody is told: as a host that hangs. */
    void pauseResourceManager() throws IOException, InterruptedException {
        resourceManager.signal("STOP");
    }

    void resumeResourceManager() throws IOException, InterruptedException {
        resourceManager.signal("CONT");
    }

    void pauseNodeManager(int node) throws IOException, InterruptedException {
        nodeManagers.get(node).signal("STOP");
    }

    void killResourceManager() throws InterruptedException {
        resourceManager.kill();
    }

    void startResourceManager() throws IOException {
        resourceManager.start();
    }

    /** What is started and ended by others than this. */
    JavaProcess nodeManager(int node) {
        return nodeManagers.get(node);
    }

    /** Writes its files again. It reads them at its next start, or when it is told to. */
    Path resourceManagerWith(Map<String, String> further) throws IOException {
        Map<String, String> settings = with(further);
        settings.put("hadoop.tmp.dir", path("tmp-rm"));
        return ConfDirectory.write(directory.resolve("conf-rm"), settings);
    }

    /** {@code yarn rmadmin}: returns what it says. */
    String admin(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(RMAdminCLI.class.getName()));
        all.addAll(List.of(arguments));
        String name = "rmadmin-" + adminCommands++;
        JavaProcess admin = new JavaProcess(
                name, directory.resolve(name), clientConf + ":" + jars.hadoop(), all.toArray(String[]::new));
        admin.start();
        if (admin.exitCode() != 0) {
            throw new IOException("rmadmin " + List.of(arguments) + " failed:\n" + admin.tail());
        }
        return admin.output();
    }

    /** SIGTERM, as an admin stops it; returns when the process is gone. */
    void stopNodeManager(int node) throws IOException, InterruptedException {
        JavaProcess stopped = nodeManagers.get(node);
        stopped.signal("TERM");
        var unused = stopped.exitCode();
    }

    void killNodeManager(int node) throws InterruptedException {
        nodeManagers.get(node).kill();
    }

    void startNodeManager(int node) throws IOException {
        nodeManagers.get(node).start();
    }

    /** Waits until the ResourceManager answers and has all nodes. */
    void awaitNodes() {
        Await.until("registration of " + NODES + " nodes", () -> {
            checkAlive();
            JsonNode nodes = rest.get("/ws/v1/cluster/nodes").path("nodes").path("node");
            return StreamSupport.stream(nodes.spliterator(), false)
                            .filter(n -> "RUNNING".equals(n.path("state").asText()))
                            .count()
                    == NODES;
        });
    }

    /** Fails with the last lines of its log for the first daemon that has ended by itself. */
    void checkAlive() {
        resourceManager.checkAlive();
        nodeManagers.forEach(JavaProcess::checkAlive);
    }

    /** Waits for the end of an application. */
    String finalStatus(String id) {
        return Await.value("end of " + id, () -> {
            checkAlive();
            JsonNode app = rest.get("/ws/v1/cluster/apps/" + id).path("app");
            String status = app.path("finalStatus").asText();
            return status.equals("UNDEFINED") ? Optional.empty() : Optional.of(status);
        });
    }

    JsonNode metrics() throws IOException, InterruptedException {
        return rest.get("/ws/v1/cluster/metrics").path("clusterMetrics");
    }

    /** Names of the nodes that jobs have in ZooKeeper. */
    List<String> jobsInZooKeeper() throws Exception {
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(zookeeper.getConnectString(), new RetryOneTime(500))) {
            client.start();
            return client.checkExists().forPath("/treadle/jobs") == null
                    ? List.of()
                    : client.getChildren().forPath("/treadle/jobs");
        }
    }

    /** Processes that work below the cluster's directory: containers, and what they have started. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> worksHere(process.pid()))
                .toList();
    }

    private boolean worksHere(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .startsWith(directory);
        } catch (IOException e) {
            // Ended meanwhile, or somebody else's.
            return false;
        }
    }

    private void killAll() {
        resourceManager.killIfStarted();
        nodeManagers.forEach(JavaProcess::killIfStarted);
        // What is being started while this looks is found the next time.
        for (List<ProcessHandle> left = processes(); !left.isEmpty(); left = processes()) {
            left.forEach(ProcessHandle::destroyForcibly);
            left.forEach(
                    p -> p.onExit().completeOnTimeout(p, 5, TimeUnit.SECONDS).join());
        }
    }

    /** Kills every daemon and container, and deletes their files; the logs of a test's last cluster stay below {@code target}. */
    @Override
    public void close() {
        killAll();
        CloseableUtils.closeQuietly(zookeeper);
        Runtime.getRuntime().removeShutdownHook(atExit);
        keepLogs();
        FileUtil.fullyDelete(directory.toFile());
    }

    /** A failure that seldom comes is not understood without them. */
    private void keepLogs() {
        try (Stream<Path> files = Files.list(directory)) {
            Path kept = Files.createDirectories(Path.of("target", "process-logs", test));
            for (Path log :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.copy(log, kept.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            System.err.println("the logs of " + test + " are not kept: " + e);
        }
    }

    /** Class and method of the test that starts a cluster. */
    private static String testOnTheStack() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().endsWith("IT"))
                        .findFirst())
                .map(frame -> frame.getClassName()
                                .substring(frame.getClassName().lastIndexOf('.') + 1) + "." + frame.getMethodName())
                .orElse("other");
    }
}
