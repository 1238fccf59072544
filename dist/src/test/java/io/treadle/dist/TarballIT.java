// SPDX-License-Identifier: Apache-2.0
package io.treadle.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tarball, unpacked by the machine's own tar, as an admin does it. */
final class TarballIT {
    private static final List<String> IN_HADOOPS_PACKAGES = List.of(
            "org/apache/hadoop/yarn/server/resourcemanager/scheduler/QuickTypeMetrics.class",
            "org/apache/hadoop/yarn/server/resourcemanager/scheduler/package-info.class",
            "org/apache/hadoop/yarn/server/resourcemanager/webapp/TreadleController.class",
            "org/apache/hadoop/yarn/server/resourcemanager/webapp/TreadleJobPage.class",
            "org/apache/hadoop/yarn/server/resourcemanager/webapp/TreadlePage.class",
            "org/apache/hadoop/yarn/server/resourcemanager/webapp/package-info.class");

    private static final Pattern OWN = Pattern.compile(
            "io/treadle/(?!shaded/).*|org/apache/hadoop/yarn/server/resourcemanager/.*|module-info.class");
    /** By packages, as NOTICE calls them. */
    private static final Map<String, String> LIBRARIES = Map.ofEntries(
            Map.entry("io/treadle/shaded/jackson/", "Jackson core, databind and annotations"),
            Map.entry("com/fasterxml/jackson/", "Jackson core, databind and annotations"),
            Map.entry("io/treadle/shaded/snakeyaml/", "SnakeYAML"),
            Map.entry("org/yaml/snakeyaml/", "SnakeYAML"),
            Map.entry("com/google/common/", "Guava"),
            Map.entry("com/google/thirdparty/", "Guava"),
            Map.entry("com/google/errorprone/", "Error Prone annotations"),
            Map.entry("com/google/j2objc/", "J2ObjC annotations"),
            Map.entry("picocli/", "picocli"),
            Map.entry("org/apache/commons/csv/", "Apache Commons CSV, Math, IO and Codec"),
            Map.entry("org/apache/commons/math3/", "Apache Commons CSV, Math, IO and Codec"),
            Map.entry("org/apache/commons/io/", "Apache Commons CSV, Math, IO and Codec"),
            Map.entry("org/apache/commons/codec/", "Apache Commons CSV, Math, IO and Codec"),
            Map.entry("ai/onnxruntime/", "ONNX Runtime"));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before the first method runs
    static Path directory;

    @BeforeAll
    static void unpack() throws Exception {
        run(List.of("tar", "-xzf", Checkout.TARBALL.toString(), "-C", directory.toString()));
    }

    @Test
    void hasOneDirectoryWithExactlyWhatTheReadmeNames() throws IOException {
        List<String> expected = new ArrayList<>(List.of(
                "LICENSE",
                "NOTICE",
                "README.md",
                "bin/treadle",
                "lib/nm-gpu-plugin.jar",
                "lib/scheduling-core.jar",
                "lib/treadle-am.jar",
                "lib/treadle-onnx.jar",
                "lib/treadle-simulator.jar",
                "lib/yarn-scheduler-plugin.jar",
                "libexec/shellprofile.d/treadle.sh"));
        Checkout.filesBelow(Checkout.CONF).forEach(file -> expected.add("conf/" + file));
        Checkout.filesBelow(Checkout.DOCS).forEach(file -> expected.add("docs/" + file));

        assertEquals(
                expected.stream()
                        .map(file -> "treadle-" + Checkout.VERSION + "/" + file)
                        .sorted()
                        .toList(),
                Checkout.filesBelow(directory));
    }

    /** Every library whose classes a jar holds is named in that jar's part of NOTICE, and none beside them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nm-gpu-plugin",
                "scheduling-core",
                "treadle-am",
                "treadle-onnx",
                "treadle-simulator",
                "yarn-scheduler-plugin"
            })
    void noticeNamesTheLibrariesOfEachJar(String jar) throws IOException {
        Set<String> held = new TreeSet<>();
        try (ZipFile zip = new ZipFile(home().resolve("lib/" + jar + ".jar").toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                String name = entry.getName().replaceFirst("^META-INF/versions/[0-9]+/", "");
                if (name.endsWith(".class") && !OWN.matcher(name).matches()) {
                    held.add(LIBRARIES.entrySet().stream()
                            .filter(each -> name.startsWith(each.getKey()))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElseThrow(() -> new AssertionError(jar + ".jar holds " + name)));
                }
            }
        }
        String notice = Files.readString(home().resolve("NOTICE"));
        String part = Stream.of(notice.split("(?m)^(?=lib/)"))
                .filter(each -> each.contains("lib/" + jar + ".jar"))
                .findFirst()
                .orElseThrow();
        Set<String> named = new TreeSet<>(LIBRARIES.values());
        named.removeIf(library -> !part.contains("\n  " + library));
        assertEquals(held, named);
    }

    @Test
    void theCommandRunsAndKnowsThatItIsNoCheckout() throws Exception {
        Path command = home().resolve("bin/treadle");
        assertTrue(Files.isExecutable(command));
        assertTrue(run(List.of(command.toString(), "help")).contains("usage: treadle COMMAND"));

        Process demo = new ProcessBuilder(command.toString(), "demo")
                .redirectErrorStream(true)
                .start();
        String said = read(demo);
        assertEquals(2, demo.waitFor(), said);
        assertTrue(said.contains("'demo' needs a checkout"), said);
    }

    @Test
    void theSimulatorRunsWithoutACheckout() throws Exception {
        String command = home().resolve("bin/treadle").toString();
        Path jobs = directory.resolveSibling(directory.getFileName() + "-jobs.csv");
        Path nodes = Files.writeString(
                directory.resolveSibling(directory.getFileName() + "-nodes.csv"), "vc,node_num\nml,4\n");
        Path out = Files.createTempDirectory(directory.getParent(), "out");
        String drawn = run(List.of(
                command,
                "generate",
                "--like",
                "helios",
                "--jobs",
                "1000",
                "--cluster",
                nodes.toString(),
                "--load",
                "0.9",
                "--out",
                jobs.toString()));
        assertTrue(drawn.contains("written to " + jobs), drawn);
        String table = run(List.of(
                command,
                "simulate",
                "--trace",
                jobs.toString(),
                "--cluster",
                nodes.toString(),
                "--policy",
                "fifo,srtf",
                "--out",
                out.toString()));
        assertTrue(table.contains("mean JCT") && table.contains("srtf"), table);
        assertEquals(1001, Files.readAllLines(out.resolve("jobs-srtf.csv")).size());
        assertTrue(Files.size(out.resolve("report.html")) > 0);
    }

    @Test
    void theShellProfileFindsTheCommandThroughItsLink() throws Exception {
        Path link = Files.createSymbolicLink(
                Files.createTempDirectory(directory.getParent(), "conf").resolve("treadle.sh"),
                home().resolve("libexec/shellprofile.d/treadle.sh"));
        // Hadoop's yarn script defines this function before it reads the profiles.
        String script = "hadoop_add_subcommand() { echo \"added $1\"; }; HADOOP_SHELL_EXECNAME=yarn; . '" + link
                + "'; yarn_subcommand_treadle help";
        String said = run(List.of("bash", "-euc", script));
        assertTrue(said.contains("added treadle") && said.contains("usage: treadle COMMAND"), said);
    }

    @Test
    void daemonJarsHoldOnlyOurClasses() throws IOException {
        assertEquals(IN_HADOOPS_PACKAGES, notOurs("yarn-scheduler-plugin.jar"));
        assertEquals(List.of(), notOurs("nm-gpu-plugin.jar"));
        assertEquals(List.of(), notOurs("scheduling-core.jar"));
        assertEquals(
                List.of(),
                entries("yarn-scheduler-plugin.jar").stream()
                        .filter(name -> name.startsWith("io/treadle/") && !name.startsWith("io/treadle/rm/"))
                        .filter(name -> name.endsWith(".class"))
                        .toList());
        assertEquals(
                List.of(),
                entries("nm-gpu-plugin.jar").stream()
                        .filter(name -> name.endsWith(".class") && !name.startsWith("io/treadle/nm/"))
                        .toList());
    }

    @Test
    void theClientsJarBringsItsLibrariesUnderOurNames() throws IOException {
        assertEquals(List.of(), notOurs("treadle-am.jar"));
        List<String> names = entries("treadle-am.jar");
        assertTrue(names.contains("io/treadle/am/client/Main.class"));
        assertTrue(names.contains("io/treadle/am/master/TreadleAppMaster.class"));
        assertTrue(names.contains("io/treadle/core/wire/GangSpec.class"));
        assertTrue(names.contains("io/treadle/shaded/jackson/databind/ObjectMapper.class"));
        assertTrue(names.contains("treadle_worker.py"));
        assertTrue(names.contains("treadle_query.py"));
        assertEquals(
                List.of(), names.stream().filter(name -> name.startsWith("ai/")).toList());
        try (JarFile jar = new JarFile(home().resolve("lib/treadle-am.jar").toFile())) {
            assertEquals(
                    "io.treadle.am.client.Main",
                    jar.getManifest().getMainAttributes().getValue("Main-Class"));
            for (JarEntry service : services(jar)) {
                assertTrue(
                        service.getName().startsWith("META-INF/services/io.treadle."),
                        () -> service.getName() + " would be taken for a service of another library");
            }
        }
    }

    @Test
    void workersOfServicesGetLinuxCodeAlone() throws IOException {
        List<String> names = entries("treadle-onnx.jar");
        assertTrue(names.contains("ai/onnxruntime/OrtSession.class"));
        assertEquals(
                List.of("ai/onnxruntime/native/linux-aarch64", "ai/onnxruntime/native/linux-x64"),
                names.stream()
                        .filter(name -> name.endsWith(".so"))
                        .map(name -> name.substring(0, name.lastIndexOf('/')))
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void everyEntryHasTheTimeOfTheBuildAndNotItsMoment() throws IOException {
        for (String jar : List.of("scheduling-core.jar", "yarn-scheduler-plugin.jar", "nm-gpu-plugin.jar")) {
            try (JarFile file = new JarFile(home().resolve("lib").resolve(jar).toFile())) {
                assertEquals(
                        1, file.stream().map(ZipEntry::getTimeLocal).distinct().count(), jar);
            }
        }
        assertEquals(
                1,
                Checkout.filesBelow(directory).stream()
                        .map(name -> directory.resolve(name).toFile().lastModified())
                        .distinct()
                        .count());
    }

    private static List<JarEntry> services(JarFile jar) {
        return jar.stream()
                .filter(entry -> !entry.isDirectory() && entry.getName().startsWith("META-INF/services/"))
                .toList();
    }

    /** Classes in the jar that are not in our own packages. */
    private static List<String> notOurs(String jar) throws IOException {
        return entries(jar).stream()
                .filter(name -> name.endsWith(".class") && !name.startsWith("io/treadle/"))
                .sorted()
                .toList();
    }

    private static List<String> entries(String jar) throws IOException {
        try (JarFile file = new JarFile(home().resolve("lib").resolve(jar).toFile())) {
            return file.stream().map(JarEntry::getName).toList();
        }
    }

    private static Path home() {
        return directory.resolve("treadle-" + Checkout.VERSION);
    }

    private static String run(Collection<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.copyOf(command))
                .redirectErrorStream(true)
                .start();
        String said = read(process);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + said);
        return said;
    }

    private static String read(Process process) throws IOException {
        StringBuilder text = new StringBuilder();
        try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }
}
