// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/** The list names what is there, and leaves nothing out of what it is to hold. */
class OwnTestsTest {
    private static final String JAR_PATH = OwnTest.PACKAGE.replace('.', '/');
    /** All that is called a test of the scheduler, of preemption and of reservations, whatever Hadoop adds. */
    private static final Pattern WANTED = Pattern.compile("(.*/)?(TestCapacityScheduler(?!AutoCreatedQueueBase)\\w*"
            + "|TestProportionalCapacityPreemptionPolicy(?!MockFramework)\\w*|TestPreemption\\w*|TestReservation\\w*"
            + "|TestSchedulingRequest\\w*|Test\\w*Restart\\w*)\\.class");

    @Test
    void classesOfTheListAreThereOnce() throws IOException {
        List<String> jar = classesOfTheJar();
        for (OwnTest test : OwnTests.all()) {
            assertTrue(jar.contains(test.path().replace('.', '/') + ".class"), test.className());
        }
        List<String> names = OwnTests.all().stream().map(OwnTest::name).toList();
        assertEquals(names.size(), new TreeSet<>(names).size(), "directories of runs go by names: " + names);
    }

    /** An abstract class has no test of its own: those that extend it are in the list. */
    @Test
    void classesOfTheListCanRun() throws IOException {
        for (OwnTest test : OwnTests.all()) {
            String file = "/" + test.className().replace('.', '/') + ".class";
            try (InputStream in = Objects.requireNonNull(OwnTestsTest.class.getResourceAsStream(file), file)) {
                assertEquals(
                        0, new ClassReader(in.readAllBytes()).getAccess() & Opcodes.ACC_ABSTRACT, test.className());
            }
        }
    }

    @Test
    void nothingIsLeftOut() throws IOException {
        List<String> listed = OwnTests.all().stream()
                .map(t -> t.path().replace('.', '/') + ".class")
                .toList();
        List<String> missing = classesOfTheJar().stream()
                .filter(c -> WANTED.matcher(c).matches() && !listed.contains(c))
                .toList();
        assertEquals(List.of(), missing);
        assertEquals(29, OwnTests.matching("TestCapacityScheduler*").size());
    }

    @Test
    void patternsChoose() throws IOException {
        assertEquals(
                List.of("TestRMRestart"),
                OwnTests.matching("TestRMRestart").stream().map(OwnTest::name).toList());
        assertEquals(
                List.of("preemption"),
                OwnTests.matching("preemption").stream()
                        .map(OwnTest::group)
                        .distinct()
                        .toList());
        assertThrows(IllegalArgumentException.class, () -> OwnTests.matching("TestNothing"));
    }

    @Test
    void differencesAreOfClassesInTheList() throws IOException {
        List<String> names = OwnTests.all().stream().map(OwnTest::name).toList();
        KnownDifferences.read()
                .reasons()
                .keySet()
                .forEach(test -> assertTrue(names.contains(test.replaceAll("\\..*", "")), test));
    }

    private static List<String> classesOfTheJar() throws IOException {
        JarURLConnection inJar = (JarURLConnection)
                Objects.requireNonNull(OwnTestsTest.class.getResource("/" + JAR_PATH + "MockRM.class"))
                        .openConnection();
        try (JarFile jar = new JarFile(inJar.getJarFileURL().getPath())) {
            return jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(JAR_PATH) && !name.contains("$"))
                    .map(name -> name.substring(JAR_PATH.length()))
                    .collect(Collectors.toList());
        }
    }
}
