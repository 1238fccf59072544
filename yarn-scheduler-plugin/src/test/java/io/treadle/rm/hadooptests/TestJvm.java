// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Runs a test class in a JVM and a working directory of its own, with what Hadoop's tests expect around them. */
final class TestJvm {
    /** Of a class whose JVM hangs or dies again and again the rest is given up. */
    private static final int MOST_JVMS = 4;
    /**
     * Whom Hadoop takes the tests' user to be, a user that every Linux has. Not root: FairScheduler's tests put a user's
     * applications into the queue of the user's name, and root is no leaf.
     */
    private static final String USER = "nobody";

    private static final String CLASSES = "target/test-classes";
    private static final String TESTS_JAR = ".*hadoop-yarn-server-resourcemanager-.*tests\\.jar";

    private final Path home;
    private final Path agent;
    private final Path hosts;
    private final Path log4j;
    private final Path kerberos;
    private final Duration limit;

    /**
     * @param home where each run leaves its directory
     * @param limit how long the JVM of a class may run
     */
    TestJvm(Path home, Duration limit) throws IOException {
        this.home = home;
        this.limit = limit;
        Files.createDirectories(home);
        agent = writeAgent(home.resolve("redirect-agent.jar"));
        // Tests of tokens ask for the realm, and for nothing more.
        kerberos = Files.writeString(home.resolve("krb5.conf"), "[libdefaults]\n  default_realm = EXAMPLE.COM\n");
        hosts = Files.write(home.resolve("hosts"), hosts());
        log4j = Files.writeString(
                home.resolve("log4j.properties"),
                """
                log4j.rootLogger=OFF,none
                log4j.appender.none=org.apache.log4j.varia.NullAppender
                """);
    }

    /** Deletes what earlier runs left of a class. */
    void forget(String name) throws IOException {
        if (Files.exists(home.resolve(name))) {
            MoreFiles.deleteRecursively(home.resolve(name), RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }

    /**
     * Runs the class, or only the named tests of it; {@code run} names the directory of what is left afterwards. Where a JVM
     * hangs or dies, what it did not come to is run in a further one.
     */
    TestReport run(String testClass, Target target, String run, List<String> ids)
            throws IOException, InterruptedException {
        TestReport report = once(testClass, target, run, ids);
        for (int i = 2; i <= MOST_JVMS && !report.left().isEmpty(); i++) {
            report = report.and(once(testClass, target, run + "-" + i, report.left()));
        }
        return report;
    }

    private TestReport once(String testClass, Target target, String run, List<String> ids)
            throws IOException, InterruptedException {
        Path directory = home.resolve(run);
        Files.createDirectories(directory.resolve("target/test-dir"));
        writeResources(directory);
        Path report = directory.resolve("report.tsv");
        ProcessBuilder builder = new ProcessBuilder(command(testClass, target, directory, report, ids))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.txt").toFile());
        builder.environment().put("HADOOP_USER_NAME", USER);
        Process process = builder.start();
        long start = System.nanoTime();
        Thread stop = new Thread(process::destroyForcibly, "stop-test-jvm");
        Runtime.getRuntime().addShutdownHook(stop);
        Outcome broken = Outcome.DIED;
        String why;
        try {
            if (process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                why = "its JVM ended with exit code " + process.exitValue();
            } else {
                broken = Outcome.HUNG;
                why = "not at its end after " + limit.toMinutes() + " minutes, threads in " + run + "/threads.txt";
                dump(process, directory.resolve("threads.txt"));
            }
        } finally {
            process.destroyForcibly().waitFor();
            Runtime.getRuntime().removeShutdownHook(stop);
        }
        return TestReport.read(report, Duration.ofNanos(System.nanoTime() - start), broken, why);
    }

    /** What each thread of a JVM does. */
    private static void dump(Process process, Path file) throws IOException, InterruptedException {
        Process dump = new ProcessBuilder(java("jcmd"), String.valueOf(process.pid()), "Thread.print", "-l")
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start();
        // A JVM that cannot answer keeps nobody.
        if (!dump.waitFor(1, TimeUnit.MINUTES)) {
            dump.destroyForcibly();
        }
    }

    private static String java(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    private List<String> command(String testClass, Target target, Path directory, Path report, List<String> ids) {
        List<String> command = new ArrayList<>(List.of(
                java("java"),
                "-Xmx2g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-Djava.net.preferIPv4Stack=true",
                "-Duser.name=" + USER,
                "-Djdk.net.hosts.file=" + hosts,
                "-Djava.security.krb5.conf=" + kerberos,
                "-Dlog4j.configuration=" + log4j.toUri(),
                "-Dtest.build.dir=" + directory.resolve("target/test-dir"),
                "-Dtest.build.data=" + directory.resolve("target/test-dir"),
                // Tests that may take ten seconds fail on a busy machine; the limit here is that of the class.
                "-Djunit.jupiter.execution.timeout.mode=disabled",
                // Without it Hadoop's tests of its speed skip themselves.
                "-DRunCapacitySchedulerPerfTests=true"));
        command.add("-javaagent:" + agent + "=" + target.label());
        command.addAll(
                List.of("-cp", classPath(directory), TestClassMain.class.getName(), report.toString(), testClass));
        command.addAll(ids);
        return command;
    }

    /**
     * What Hadoop's build has where its test classes are, and in its sources. Tests open these files by their path, copy them
     * and write others beside them, so each run has its own.
     */
    private static void writeResources(Path directory) throws IOException {
        Path classes = Files.createDirectories(directory.resolve(CLASSES));
        try (JarFile tests = new JarFile(testsJar())) {
            for (JarEntry entry : tests.stream().filter(TestJvm::isResource).toList()) {
                Path file = classes.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                try (InputStream in = tests.getInputStream(entry)) {
                    Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        // They stand there too, and are not in the jar.
        for (String site : List.of("core-site.xml", "yarn-site.xml")) {
            Files.writeString(classes.resolve(site), "<configuration/>\n");
        }
        Path sources = directory.resolve("src/test/resources");
        if (!Files.exists(sources)) {
            Files.createSymbolicLink(
                    Files.createDirectories(sources.getParent()).resolve("resources"), classes);
        }
    }

    private static boolean isResource(JarEntry entry) {
        return !entry.isDirectory()
                && !entry.getName().endsWith(".class")
                && !entry.getName().startsWith("META-INF/")
                && !entry.getName().startsWith("webapp/");
    }

    private static String testsJar() {
        return classPath().stream()
                .filter(entry -> entry.matches(TESTS_JAR))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + TESTS_JAR + " on " + classPath()));
    }

    private static List<String> classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> !entry.contains("hadoop-yarn-server-tests"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList();
    }

    /** The run's own files first, then Hadoop's tests of the ResourceManager, then what this test has. */
    private static String classPath(Path directory) {
        List<String> entries =
                new ArrayList<>(List.of(directory.resolve(CLASSES).toString()));
        classPath().stream()
                .sorted(Comparator.comparing(entry -> !entry.matches(TESTS_JAR)))
                .forEach(entries::add);
        return String.join(File.pathSeparator, entries);
    }

    private static Path writeAgent(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", RedirectAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    /** The tests name nodes that exist nowhere; without an address no container token can be made for them. */
    private static List<String> hosts() throws IOException {
        List<String> names =
                new ArrayList<>(List.of("localhost", InetAddress.getLocalHost().getHostName()));
        for (String name : List.of("h", "host", "host_", "n", "node", "nm", "test", "testhost")) {
            names.add(name);
            for (int i = 0; i < 100; i++) {
                names.add(name + i);
            }
        }
        return names.stream().map(name -> "127.0.0.1 " + name).toList();
    }
}
