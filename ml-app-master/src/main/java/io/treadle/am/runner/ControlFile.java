// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The container's {@code resources.json}. Where the node writes it, it is only read, and a file that is missing or broken
 * means that the last good one still holds. Where no node plugin runs, the runner writes it from the ApplicationMaster's
 * answers, so that workers find one contract either way.
 */
final class ControlFile {
    private final Path directory;
    private final boolean controlled;
    private Optional<ResourcesFile> last = Optional.empty();
    private boolean complained;

    private ControlFile(Path directory, boolean controlled) {
        this.directory = directory;
        this.controlled = controlled;
    }

    static ControlFile writtenByNode(Path directory) {
        return new ControlFile(directory, true);
    }

    static ControlFile writtenByRunner(Path workDir) throws IOException {
        return new ControlFile(Files.createDirectories(workDir.resolve("treadle-control")), false);
    }

    Path directory() {
        return directory;
    }

    /** Whether the node writes the file. */
    boolean controlled() {
        return controlled;
    }

    /** False where the node writes into a directory that this process cannot see, as in a container without its mount. */
    boolean reachable() {
        return !controlled || last.isPresent() || Files.isDirectory(directory);
    }

    /** The last good content; empty before there was one. */
    Optional<ResourcesFile> read() {
        try {
            ResourcesFile now = ResourcesFile.fromJson(Files.readString(directory.resolve(ResourcesFile.NAME)));
            if (last.isEmpty() || now.version() >= last.get().version()) {
                last = Optional.of(now);
            }
            complained = false;
        } catch (NoSuchFileException e) {
            complain("is missing");
        } catch (IOException | WireFormatException e) {
            complain("cannot be read (" + e.getMessage() + ")");
        }
        return last;
    }

    /** Replaces the file atomically, where the node does not. */
    void write(ResourcesFile sizes) throws IOException {
        if (!controlled && (last.isEmpty() || sizes.version() > last.get().version())) {
            AtomicFile.write(directory.resolve(ResourcesFile.NAME), sizes.toJson());
        }
    }

    private void complain(String what) {
        if (!complained && last.isPresent()) {
            RunnerLog.say(directory.resolve(ResourcesFile.NAME) + " " + what + "; the last known sizes stay: "
                    + last.get().toJson());
            complained = true;
        }
    }
}
