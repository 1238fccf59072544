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
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuLocksTest {
    private final Path directory;

    GpuLocksTest(@TempDir Path directory) {
        this.directory = directory.resolve("locks");
    }

    @Test
    void oneOfTwoInAProcessHolds() throws IOException {
        GpuLocks first = new GpuLocks(directory, "first", "boot-1");
        GpuLocks second = new GpuLocks(directory, "second", "boot-1");
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
        try (GpuLocks locks = new GpuLocks(directory, "this one", "boot-1");
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
    void ownLimitOutlivesItsHolderButNotTheMachine() throws IOException {
        GpuLocks killed = new GpuLocks(directory, "killed", "boot-1");
        assertTrue(killed.hold("A"));
        killed.keepOwnLimit("A", 350_000);
        killed.close();
        assertEquals(OptionalLong.of(350_000), new GpuLocks(directory, "next", "boot-1").ownLimitLeft("A"));
        assertEquals(OptionalLong.empty(), new GpuLocks(directory, "next", "boot-2").ownLimitLeft("A"));
        assertEquals(OptionalLong.empty(), new GpuLocks(directory, "next", "boot-1").ownLimitLeft("B"));
        killed.forgetOwnLimit("A");
        assertEquals(OptionalLong.empty(), new GpuLocks(directory, "next", "boot-1").ownLimitLeft("A"));
        Files.writeString(directory.resolve("A.own"), "boot-1 many");
        assertEquals(OptionalLong.empty(), new GpuLocks(directory, "next", "boot-1").ownLimitLeft("A"));
    }

    @Test
    void directoryThatIsALinkIsNotTrusted() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolveSibling("elsewhere"));
        Files.createSymbolicLink(directory, elsewhere);
        try (GpuLocks locks = new GpuLocks(directory, "first", "boot-1")) {
            assertFalse(locks.hold("A"));
            assertTrue(locks.refusal("A").contains("is a link"), locks.refusal("A"));
        }
    }
}
