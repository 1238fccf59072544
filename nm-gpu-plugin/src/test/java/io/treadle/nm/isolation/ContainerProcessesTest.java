// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerProcessesTest {
    private static final String ONE = "container_1767225000000_0007_01_000003";
    private static final String TWO = "container_e17_1767225000000_0008_01_000002";
    private static final Set<String> HOLDERS = Set.of(ONE, TWO);
    private static final Optional<String> NOBODY = Optional.of(ContainerProcesses.NOBODY);
    private static final long BOOT_MS = 1_767_000_000_000L;

    private final Path proc;
    private final ContainerProcesses processes;

    ContainerProcessesTest(@TempDir Path proc) {
        this.proc = proc;
        this.processes = new ContainerProcesses(proc);
    }

    @BeforeEach
    void boot() throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu 1 2 3\nbtime " + BOOT_MS / 1000 + "\n");
    }

    @Test
    void cgroupNamesTheContainer() throws IOException {
        process(10, 1, 100, "python (train) 7");
        write(10, "cgroup", "12:cpu:/hadoop-yarn/" + ONE + "\n0::/user.slice\n");
        process(11, 1, 100, "python");
        write(11, "cgroup", "0::/hadoop-yarn/" + TWO + "/docker-0123456789ab.scope\n");
        assertEquals(Optional.of(ONE), owner(10));
        assertEquals(Optional.of(TWO), owner(11));
    }

    @Test
    void whatHasStartedItNamesTheContainer() throws IOException {
        process(20, 1, 90, "java");
        write(20, "cmdline", "java\0-Dproc_nodemanager\0");
        process(21, 20, 100, "bash");
        write(21, "cmdline", "bash\0/data/usercache/ada/appcache/application_1/" + ONE + "/launch_container.sh\0");
        process(22, 21, 110, "python");
        write(22, "cgroup", "0::/system.slice/hadoop.service\n");
        write(22, "cmdline", "python\0train.py\0");
        assertEquals(Optional.of(ONE), owner(22));
        process(30, 1, 100, "python");
        write(30, "environ", "HOME=/home/ada\0CONTAINER_ID=" + TWO + "\0PATH=/bin\0");
        assertEquals(Optional.of(TWO), owner(30), "whose parent has ended");
    }

    @Test
    void processOfNobodyAndProcessThatIsNotThere() throws IOException {
        process(40, 1, 100, "Xorg");
        process(41, 40, 100, "python");
        write(41, "cgroup", "0::/hadoop-yarn/container_1767225000000_0007_01_000099\n");
        assertEquals(NOBODY, owner(40));
        assertEquals(NOBODY, owner(41), "of a container that does not hold the GPU");
        assertEquals(Optional.empty(), owner(4711));
    }

    @Test
    void processThatHasEndedIsRemembered() throws IOException {
        process(50, 1, 100, "python");
        write(50, "cgroup", "0::/" + ONE + "\n");
        assertEquals(Optional.of(ONE), owner(50));
        Files.delete(proc.resolve("50/stat"));
        assertEquals(Optional.of(ONE), owner(50));
        assertEquals(NOBODY, processes.containerOf(50, BOOT_MS + 60_000, Set.of(TWO)), "its container has gone too");
    }

    @Test
    void idThatIsUsedAgainIsAnotherProcess() throws IOException {
        process(60, 1, 100, "python");
        write(60, "cgroup", "0::/" + ONE + "\n");
        assertEquals(Optional.of(ONE), processes.containerOf(60, BOOT_MS + 60_000, HOLDERS));
        process(60, 1, 9_000, "python");
        write(60, "cgroup", "0::/" + TWO + "\n");
        assertEquals(
                Optional.of(ONE), processes.containerOf(60, BOOT_MS + 61_000, HOLDERS), "90 s after boot it began");
        assertEquals(Optional.of(TWO), processes.containerOf(60, BOOT_MS + 95_000, HOLDERS));
        process(61, 1, 9_000, "python");
        write(61, "cgroup", "0::/" + TWO + "\n");
        assertEquals(Optional.empty(), processes.containerOf(61, BOOT_MS + 61_000, HOLDERS), "nobody knew the other");
    }

    @Test
    void thisProcessIsNobodys() {
        assertEquals(
                NOBODY,
                new ContainerProcesses(Path.of("/proc"))
                        .containerOf(ProcessHandle.current().pid(), Long.MAX_VALUE, HOLDERS));
    }

    private Optional<String> owner(long pid) {
        return processes.containerOf(pid, BOOT_MS + 60_000, HOLDERS);
    }

    /** @param ticks start, hundredths of a second since boot */
    private void process(long pid, long parent, long ticks, String name) throws IOException {
        Files.createDirectories(proc.resolve(Long.toString(pid)));
        write(
                pid,
                "stat",
                pid + " (" + name + ") S " + parent + " 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 " + ticks + " 9 9\n");
    }

    private void write(long pid, String file, String text) throws IOException {
        Files.writeString(proc.resolve(Long.toString(pid)).resolve(file), text);
    }
}
