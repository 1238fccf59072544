// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a second demo of one user off the machine: two would share its cores, and neither's figures would hold. */
public final class DemoLock implements AutoCloseable {
    private final FileChannel channel;

    private DemoLock(FileChannel channel) {
        this.channel = channel;
    }

    /** The lock of this user on this machine. */
    public static DemoLock take() {
        return take(Path.of(
                System.getProperty("java.io.tmpdir"), "treadle-demo-" + System.getProperty("user.name") + ".lock"));
    }

    /** @throws DemoException if another demo holds {@code file} */
    static DemoLock take(Path file) {
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    // Anybody may put a link of this name there, to a file of this user's.
                    LinkOption.NOFOLLOW_LINKS);
            if (lock(channel) == null) {
                channel.close();
                throw new DemoException("another demo is running on this machine (it holds " + file
                        + "); both would compete for the same cores.\n"
                        + "Maybe wait until it ends, or stop it with Ctrl-C.");
            }
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"));
            return new DemoLock(channel);
        } catch (IOException e) {
            throw new DemoException("lock file " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new DemoException("lock cannot be given back: " + e.getMessage(), e);
        }
    }
}
