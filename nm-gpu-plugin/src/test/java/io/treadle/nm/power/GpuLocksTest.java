// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuLocksTest {
    private final Path directory;

    GpuLocksTest(@TempDir Path directory) {
        this.directory = directory.resolve("locks");
    }

    @Test
    void oneOfTwoInAProcessHolds() throws IOException {
        GpuLocks first = new GpuLocks(directory, "first");
        GpuLocks second = new GpuLocks(directory, "second");
        assertTrue(first.hold("A"));
        assertTrue(first.hold("A"), "and goes on holding");
        assertFalse(second.hold("A"));
        assertEquals("limits are set by first", second.refusal("A"));
        assertTrue(second.hold("B"), "each GPU has its own lock");
        first.close();
        assertTrue(second.hold("A"));
        assertEquals("", second.refusal("A"));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
        second.close();
    }

    @Test
    void oneOfTwoProcessesHoldsUntilItIsKilled() throws IOException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        try (GpuLocks locks = new GpuLocks(directory, "this one");
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            String line = said.readLine();
            while (line != null && !line.equals("holds")) {
                line = said.readLine();
            }
            assertEquals("holds", line);
            assertFalse(locks.hold("A"));
            assertEquals("limits are set by the other process", locks.refusal("A"));
            other.destroyForcibly();
            eventually("the lock", () -> locks.hold("A"));
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void directoryThatIsALinkIsNotTrusted() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolveSibling("elsewhere"));
        Files.createSymbolicLink(directory, elsewhere);
        try (GpuLocks locks = new GpuLocks(directory, "first")) {
            assertFalse(locks.hold("A"));
            assertTrue(locks.refusal("A").contains("is a link"), locks.refusal("A"));
        }
    }
}
