// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A temporary directory that is gone after use. */
final class WorkDirectory {
    private static final int ATTEMPTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Path path;

    private WorkDirectory(Path path) {
        this.path = path;
    }

    static WorkDirectory create() {
        try {
            return new WorkDirectory(
                    Files.createTempDirectory("treadle-cluster-").toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no directory can be made under " + System.getProperty("java.io.tmpdir")
                            + "\nMaybe set -Djava.io.tmpdir to one that is writable.",
                    e);
        }
    }

    Path path() {
        return path;
    }

    /** Deletes everything that can be deleted; containers that are just ending may still write. */
    void delete() {
        for (int attempt = 0; attempt < ATTEMPTS && Files.exists(path); attempt++) {
            if (attempt > 0) {
                Uninterruptibles.sleepUninterruptibly(PAUSE);
            }
            try {
                Files.walkFileTree(path, new Deletion());
            } catch (IOException e) {
                // Something appeared in a directory that was just emptied: once more.
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
