// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Processes of an embedded cluster's containers, found by their working directory. */
public final class ContainerProcesses {
    private static final int POLLS = 50;
    private static final Duration POLL = Duration.ofMillis(100);

    private ContainerProcesses() {}

    /** Those that work in or below {@code directory}, this process not counted. */
    public static List<ProcessHandle> under(Path directory) {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && worksUnder(directory, process.pid()))
                .toList();
    }

    /** Ends what a container has left behind outside its process group, where NodeManagers do not see it. */
    static void end(Path directory) {
        List<ProcessHandle> left = under(directory);
        for (int poll = 0; poll < POLLS && !left.isEmpty(); poll++) {
            left.forEach(ProcessHandle::destroyForcibly);
            Uninterruptibles.sleepUninterruptibly(POLL);
            left = under(directory);
        }
    }

    private static boolean worksUnder(Path directory, long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .startsWith(directory);
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            // Ended meanwhile, somebody else's, or no /proc on this system: none of ours.
            return false;
        }
    }
}
