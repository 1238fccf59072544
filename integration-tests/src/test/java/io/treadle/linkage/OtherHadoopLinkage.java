// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether our class files find in the Hadoop of this JVM's class path what they name, and override there what they override
 * in the one that they were compiled against. Run by the module other-hadoop, whose class path has another Hadoop.
 */
class OtherHadoopLinkage {
    private static final Path CHECKOUT = Path.of(System.getProperty("treadle.checkout", ".."));

    /** Loaded with Jersey 2 alone: {@code WebServices} names it to a ResourceManager that has that. */
    private static final String FEATURE = "io/treadle/rm/web/TreadleWebFeature";

    /** ONNX Runtime is shipped apart, and the same with every Hadoop. */
    private static final String ONNX = " -> ai/onnxruntime/";

    @Test
    void ranWithAnotherHadoop() throws IOException {
        assertFalse(compiledAgainst().equals(classPath()), "both class paths are one");
        assertFalse(ClassFiles.of(classPath())
                .find("org/apache/hadoop/conf/Configuration")
                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn-scheduler-plugin", "nm-gpu-plugin", "ml-app-master"})
    void classesOfAJarFindWhatTheyName(String module) throws IOException {
        List<Path> ours = new ArrayList<>(classesOf(module));
        ours.addAll(classesOf("scheduling-core"));
        assertEquals("", faults(ours));
    }

    /** With the libraries that it brings. */
    @Test
    void classesOfTheClientsJarFindWhatTheyName() throws IOException {
        assertEquals("", faults(List.of(CHECKOUT.resolve("ml-app-master/target/treadle-am.jar"))));
    }

    private static String faults(List<Path> ours) throws IOException {
        Linkage linkage = new Linkage(
                ClassFiles.of(ours),
                ClassFiles.of(
                        Stream.concat(ours.stream(), compiledAgainst().stream()).toList()),
                ClassFiles.of(Stream.concat(ours.stream(), classPath().stream()).toList()));
        return String.join(
                "\n",
                linkage.faults().stream()
                        .filter(fault -> !fault.startsWith(FEATURE) && !fault.contains(ONNX))
                        .toList());
    }

    private static List<Path> classesOf(String module) {
        List<Path> found = classPath().stream()
                .filter(entry -> entry.toString().contains("/" + module + "/target/")
                        && !entry.toString().endsWith("-tests.jar"))
                .toList();
        assertEquals(1, found.size(), "class path has " + found + " of module " + module);
        return found;
    }

    private static List<Path> classPath() {
        return entries(System.getProperty("java.class.path"));
    }

    /** Written by the build of integration-tests. */
    private static List<Path> compiledAgainst() throws IOException {
        return entries(Files.readString(CHECKOUT.resolve("integration-tests/target/compiled-against.txt")));
    }

    private static List<Path> entries(String classPath) {
        return Arrays.stream(classPath.trim().split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }
}
