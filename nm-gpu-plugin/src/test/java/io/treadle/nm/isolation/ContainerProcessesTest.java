// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
    private final Map<String, Long> leaders = new HashMap<>();

    ContainerProcessesTest(@TempDir Path proc) {
        this.proc = proc;
        this.processes = new ContainerProcesses(proc, this::leader);
    }

    private OptionalLong leader(String container) {
        Long pid = leaders.get(container);
        return pid == null ? OptionalLong.empty() : OptionalLong.of(pid);
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

    /** The first process of each container, as the NodeManager knows it, of the users 1001 and 1002. */
    private void containersRun() throws IOException {
        process(20, 1, 90, "java");
        process(21, 20, 100, "bash");
        user(21, 1001);
        leaders.put(ONE, 21L);
        process(25, 20, 100, "bash");
        user(25, 1002);
        leaders.put(TWO, 25L);
    }

    @Test
    void whatHasStartedItSaysWhoseItIs() throws IOException {
        containersRun();
        process(22, 21, 110, "python");
        user(22, 0);
        write(22, "cgroup", "0::/system.slice/hadoop.service\n");
        write(22, "environ", "CONTAINER_ID=" + TWO + "\0");
        process(23, 22, 120, "loader");
        assertEquals(Optional.of(ONE), owner(21));
        assertEquals(Optional.of(ONE), owner(22), "whatever its user and its variables");
        assertEquals(Optional.of(ONE), owner(23));
    }

    @Test
    void orphanIsBelievedForContainersOfItsOwnUser() throws IOException {
        containersRun();
        process(30, 1, 100, "python");
        write(30, "environ", "HOME=/home/bob\0CONTAINER_ID=" + TWO + "\0PATH=/bin\0");
        assertEquals(NOBODY, owner(30), "its user is not known");
        write(30, "environ", "CONTAINER_ID=" + ONE + "\0");
        user(30, 1003);
        assertEquals(NOBODY, owner(30), "of another user");
        write(30, "environ", "CONTAINER_ID=" + TWO + "\0");
        user(30, 1002);
        assertEquals(Optional.of(TWO), owner(30));
    }

    /** Who starts a process chooses its command line and its variables, and names groups below his own. */
    @Test
    void nobodyNamesAnotherUsersContainer() throws IOException {
        containersRun();
        process(31, 1, 100, "python");
        user(31, 1001);
        write(31, "cmdline", "python\0train.py\0/data/" + TWO + "/launch_container.sh\0");
        write(31, "environ", "CONTAINER_ID=" + TWO + "\0");
        assertEquals(Optional.of(ONE), owner(31), "the only one of its user");
        write(31, "status", "Name:\tx\rUid:\t1002\nUid:\t1001\t1001\t1001\t1001\n");
        assertEquals(Optional.of(ONE), owner(31), "whatever it calls itself");
        process(32, 1, 100, "python");
        user(32, 1001);
        write(32, "cgroup", "12:cpu:/hadoop-yarn/" + ONE + "/" + TWO + "\n");
        assertEquals(Optional.of(ONE), owner(32), "below its own");
        write(32, "cgroup", "0::/user.slice/user-1001.slice/" + TWO + "\n");
        assertEquals(Optional.of(ONE), owner(32), "in a tree of its user");
        write(32, "cgroup", "0::/hadoop-yarn/" + ONE + "/x:/" + TWO + "\n");
        assertEquals(Optional.of(ONE), owner(32), "a name with a colon");
        write(32, "cgroup", "0::/hadoop-yarn/my-" + TWO + "/x\n");
        user(32, 1003);
        assertEquals(NOBODY, owner(32), "a name that only holds an id");
    }

    @Test
    void whereTwoAreOfItsUserNobodyCanTell() throws IOException {
        containersRun();
        user(25, 1001);
        process(33, 1, 100, "python");
        user(33, 1001);
        assertEquals(NOBODY, owner(33));
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
        assertEquals(
                NOBODY,
                processes.containerOf(50, BOOT_MS + 60_000, processes.holders(Set.of(TWO))),
                "its container has gone too");
    }

    @Test
    void idThatIsUsedAgainIsAnotherProcess() throws IOException {
        process(60, 1, 100, "python");
        write(60, "cgroup", "0::/" + ONE + "\n");
        assertEquals(Optional.of(ONE), processes.containerOf(60, BOOT_MS + 60_000, holders()));
        process(60, 1, 9_000, "python");
        write(60, "cgroup", "0::/" + TWO + "\n");
        assertEquals(
                Optional.of(ONE), processes.containerOf(60, BOOT_MS + 61_000, holders()), "90 s after boot it began");
        assertEquals(Optional.of(TWO), processes.containerOf(60, BOOT_MS + 95_000, holders()));
        process(61, 1, 9_000, "python");
        write(61, "cgroup", "0::/" + TWO + "\n");
        assertEquals(Optional.empty(), processes.containerOf(61, BOOT_MS + 61_000, holders()), "nobody knew the other");
    }

    @Test
    void thisProcessIsNobodys() {
        assertEquals(
                NOBODY,
                new ContainerProcesses(Path.of("/proc"), container -> OptionalLong.empty())
                        .containerOf(ProcessHandle.current().pid(), Long.MAX_VALUE, holders()));
    }

    private ContainerProcesses.Holders holders() {
        return processes.holders(HOLDERS);
    }

    private Optional<String> owner(long pid) {
        return processes.containerOf(pid, BOOT_MS + 60_000, holders());
    }

    /** @param ticks start, hundredths of a second since boot */
    private void process(long pid, long parent, long ticks, String name) throws IOException {
        Files.createDirectories(proc.resolve(Long.toString(pid)));
        write(
                pid,
                "stat",
                pid + " (" + name + ") S " + parent + " 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 " + ticks + " 9 9\n");
    }

    private void user(long pid, int uid) throws IOException {
        write(pid, "status", "Name:\tx\nUid:\t" + uid + "\t0\t0\t0\nGid:\t5\t5\t5\t5\n");
    }

    private void write(long pid, String file, String text) throws IOException {
        Files.writeString(proc.resolve(Long.toString(pid)).resolve(file), text);
    }
}
