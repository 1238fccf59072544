// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/** A Spark job with dynamic allocation, submitted as people do it: its tasks wait until {@link #go}. */
final class SparkSum {
    /** More than its executors run at once, so that it always wants more of them. */
    static final int TASKS = 40;

    static final int EXECUTOR_VCORES = 4;
    static final int MOST_EXECUTORS = 5;
    private static final int REMAINDERS = 7;
    private static final long EACH = 1000;

    private final ProcessCluster cluster;
    private final Path home;
    private final JavaProcess driver;

    private SparkSum(ProcessCluster cluster, Path home, JavaProcess driver) {
        this.cluster = cluster;
        this.home = home;
        this.driver = driver;
    }

    static SparkSum submit(ProcessCluster cluster, String queue) throws IOException {
        Path home = Files.createDirectories(cluster.directory().resolve("spark"));
        Path jars = Checkout.root()
                .resolve("spark-jars/target/jars")
                .toAbsolutePath()
                .normalize();
        if (!Files.isDirectory(jars)) {
            throw new IllegalStateException(jars + " is not there.\nMaybe run mvn process-resources -pl spark-jars");
        }
        Path jar = compiled(home, jars);
        List<String> arguments = new ArrayList<>(List.of(
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "yarn",
                "--deploy-mode",
                "client",
                "--queue",
                queue,
                "--class",
                "SparkSum"));
        for (String setting : List.of(
                "spark.yarn.jars=local:" + jars + "/*",
                "spark.yarn.stagingDir=" + home.resolve("staging").toUri(),
                "spark.dynamicAllocation.enabled=true",
                // Without a shuffle service on the nodes.
                "spark.dynamicAllocation.shuffleTracking.enabled=true",
                "spark.dynamicAllocation.maxExecutors=" + MOST_EXECUTORS,
                "spark.dynamicAllocation.schedulerBacklogTimeout=1s",
                "spark.executor.cores=" + EXECUTOR_VCORES,
                "spark.executor.memory=512m",
                "spark.executor.memoryOverhead=128m",
                "spark.yarn.am.memory=512m",
                "spark.yarn.am.memoryOverhead=128m",
                "spark.driver.host=localhost",
                "spark.driver.bindAddress=127.0.0.1",
                "spark.ui.enabled=false")) {
            arguments.addAll(List.of("--conf", setting));
        }
        arguments.addAll(List.of(
                jar.toString(),
                Integer.toString(TASKS),
                home.resolve("go").toString(),
                home.resolve("result").toString()));
        JavaProcess driver = new JavaProcess(
                        "spark-driver",
                        Files.createDirectories(home.resolve("driver")),
                        jars + "/*" + File.pathSeparator + cluster.clientConf(),
                        arguments.toArray(String[]::new))
                .withJvmOptions(opens())
                .withJvmOptions("-Xmx700m")
                .with("HADOOP_CONF_DIR", cluster.clientConf().toString());
        driver.start();
        return new SparkSum(cluster, home, driver);
    }

    /** What Spark's own scripts open of the JDK. */
    private static String[] opens() {
        return Stream.of(
                        "java.base/java.lang",
                        "java.base/java.lang.invoke",
                        "java.base/java.lang.reflect",
                        "java.base/java.io",
                        "java.base/java.net",
                        "java.base/java.nio",
                        "java.base/java.util",
                        "java.base/java.util.concurrent",
                        "java.base/java.util.concurrent.atomic",
                        "java.base/sun.nio.ch",
                        "java.base/sun.nio.cs",
                        "java.base/sun.security.action",
                        "java.base/sun.util.calendar")
                .map(name -> "--add-opens=" + name + "=ALL-UNNAMED")
                .toArray(String[]::new);
    }

    private static Path compiled(Path home, Path jars) throws IOException {
        Path source = home.resolve("SparkSum.java");
        try (InputStream text = Objects.requireNonNull(SparkSum.class.getResourceAsStream("/processes/SparkSum.txt"))) {
            Files.copy(text, source);
        }
        Path classes = Files.createDirectories(home.resolve("classes"));
        String classPath;
        try (Stream<Path> files = Files.list(jars)) {
            classPath = files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", classPath, "-d", classes.toString(), source.toString());
        if (failed != 0) {
            throw new IllegalStateException(source + " does not compile");
        }
        Path jar = home.resolve("spark-sum.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.list(classes)) {
            for (Path file : files.toList()) {
                out.putNextEntry(new ZipEntry(String.valueOf(file.getFileName())));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    /** Waits until it has all the executors that it may have. */
    void awaitExecutors() {
        Await.until("all of Spark's executors", () -> {
            checkRunning();
            // One is its ApplicationMaster.
            return view().filter(app -> app.path("runningContainers").asInt() == MOST_EXECUTORS + 1)
                    .isPresent();
        });
    }

    /** Executors that YARN has taken from it. */
    int preempted() throws IOException, InterruptedException {
        return view().orElseThrow().path("numNonAMContainerPreempted").asInt();
    }

    private Optional<JsonNode> view() throws IOException, InterruptedException {
        for (JsonNode app :
                cluster.rest().get("/ws/v1/cluster/apps").path("apps").path("app")) {
            if (app.path("applicationType").asText().equals("SPARK")) {
                return Optional.of(app);
            }
        }
        return Optional.empty();
    }

    private void checkRunning() {
        cluster.checkAlive();
        if (driver.hasEnded()) {
            throw new Await.HopelessException("Spark's driver has ended:\n" + driver.tail());
        }
    }

    /** Lets its tasks come to their end; returns the exit code of the driver. */
    int go() throws IOException {
        Files.createFile(home.resolve("go"));
        return driver.exitCode();
    }

    String result() throws IOException {
        return Files.readString(home.resolve("result"), StandardCharsets.UTF_8);
    }

    /** What is right. */
    static String known() {
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        IntStream.range(0, TASKS).forEach(part -> counts.merge(part % REMAINDERS, 1, Integer::sum));
        return LongStream.range(0, TASKS * EACH).sum() + " " + counts;
    }

    String tail() {
        return driver.tail();
    }
}
