// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class paths of a machine with Hadoop, made from the test's own: Hadoop's jars in one directory, ours apart. */
final class JarDirectories {
    private static final String AM_JAR_PROPERTY = "treadle.am.jar";
    private static final List<String> NOT_HADOOP = List.of(
            "-tests.jar",
            "/org/junit/",
            "/org/mockito/",
            "/archunit",
            "/curator-test/",
            "/byte-buddy",
            "/objenesis/",
            "/onnxruntime/");

    private final Path hadoop;

    private JarDirectories(Path hadoop) {
        this.hadoop = hadoop;
    }

    static JarDirectories link(Path hadoop) throws IOException {
        Files.createDirectories(hadoop);
        for (Path jar : entries().toList()) {
            Path link = hadoop.resolve(String.valueOf(jar.getFileName()));
            if (isHadoops(jar) && !Files.exists(link)) {
                Files.createSymbolicLink(link, jar);
            }
        }
        return new JarDirectories(hadoop);
    }

    private static Stream<Path> entries() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath());
    }

    private static boolean isHadoops(Path entry) {
        String name = entry.toString();
        return name.endsWith(".jar")
                && !name.contains("/target/")
                && NOT_HADOOP.stream().noneMatch(name::contains);
    }

    /** Where an admin puts further jars of the ResourceManager's. */
    Path directory() {
        return hadoop;
    }

    /** Hadoop's jars, as a class path entry. */
    String hadoop() {
        return hadoop.resolve("*").toString();
    }

    String resourceManager() {
        return hadoop() + File.pathSeparator + modules("yarn-scheduler-plugin", "scheduling-core");
    }

    String nodeManager() {
        return hadoop() + File.pathSeparator + modules("nm-gpu-plugin", "scheduling-core");
    }

    /** The class path entries that these modules were built to. */
    private static String modules(String... names) {
        String found = entries()
                .map(Path::toString)
                .filter(entry -> Arrays.stream(names).anyMatch(name -> entry.contains("/" + name + "/target/")))
                .collect(Collectors.joining(File.pathSeparator));
        if (found.split(File.pathSeparator).length != names.length) {
            throw new IllegalStateException("class path has '" + found + "' for modules " + List.of(names));
        }
        return found;
    }

    /** The jar that {@code yarn jar} runs. */
    static Path amJar() {
        String named = System.getProperty(AM_JAR_PROPERTY, "");
        Path jar = named.isEmpty() ? Checkout.root().resolve("ml-app-master/target/treadle-am.jar") : Path.of(named);
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException(jar + " is not built.\nMaybe run mvn verify, or set -D" + AM_JAR_PROPERTY);
        }
        return jar.toAbsolutePath();
    }
}
