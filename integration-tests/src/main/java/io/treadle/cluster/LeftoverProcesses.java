// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processes that still work under a directory. NodeManagers end their containers when they stop; what a container left
 * behind outside its process group is found here by its working directory.
 */
final class LeftoverProcesses {
    private final Path directory;

    LeftoverProcesses(Path directory) {
        this.directory = directory;
    }

    /** Ends them all and says how many there were. */
    int end() {
        List<ProcessHandle> found = find();
        found.forEach(ProcessHandle::destroyForcibly);
        return found.size();
    }

    List<ProcessHandle> find() {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self)
                .filter(process -> worksUnderDirectory(process.pid()))
                .toList();
    }

    private boolean worksUnderDirectory(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .startsWith(directory);
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            // Ended meanwhile, somebody else's, or no /proc on this system: not ours to end.
            return false;
        }
    }
}
