// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock for each GPU of the machine, so that of several NodeManagers only one sets its limit. A lock ends with its
 * process, however that ends.
 */
final class GpuLocks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GpuLocks.class);

    /** Closing any channel of a file drops all locks that this process has on it: a second one must not be opened. */
    private static final Set<Path> HELD_IN_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final String owner;
    private final String boot;
    private final Map<String, FileChannel> held = new HashMap<>();
    private final Map<String, String> refusals = new HashMap<>();

    /**
     * @param owner who we are, for people
     * @param boot {@link BootId#current()}
     */
    GpuLocks(Path directory, String owner, String boot) {
        this.directory = directory.toAbsolutePath().normalize();
        this.owner = owner;
        this.boot = boot;
    }

    /** Takes the lock where it is free; true if it is ours now. */
    boolean hold(String uuid) {
        if (held.containsKey(uuid)) {
            return true;
        }
        Path file = file(uuid, ".lock");
        if (!HELD_IN_THIS_PROCESS.add(file)) {
            refusals.put(uuid, "limits are set by " + holder(uuid));
            return false;
        }
        boolean taken = false;
        try {
            prepare();
            taken = lock(uuid, file);
        } catch (IOException e) {
            refusals.put(uuid, "cannot lock " + file + ": " + e);
        } finally {
            if (!taken) {
                HELD_IN_THIS_PROCESS.remove(file);
            }
        }
        return taken;
    }

    private boolean lock(String uuid, Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            refusals.put(uuid, "limits are set by " + holder(uuid));
            return false;
        }
        held.put(uuid, channel);
        refusals.remove(uuid);
        Path holder = file(uuid, ".holder");
        Files.deleteIfExists(holder);
        Files.writeString(holder, owner, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return true;
    }

    /** Why the lock is not ours, for people; empty where it is or was never asked for. */
    String refusal(String uuid) {
        return refusals.getOrDefault(uuid, "");
    }

    /** In a directory of another user our locks could be held against us. */
    private void prepare() throws IOException {
        if (!Files.isDirectory(directory)) {
            // What is above is of others, too: containers enter the control directory.
            Files.createDirectories(Objects.requireNonNull(directory.getParent()));
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        String user = System.getProperty("user.name", "");
        String of = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
        if (Files.isSymbolicLink(directory) || !List.of(user, "root").contains(of)) {
            throw new IOException(directory + " is a link, or belongs to " + of + " and not to " + user + " or root");
        }
    }

    /**
     * Tells the next holder, if this one is killed, what the GPU's own limit is: its journal may be another NodeManager's.
     *
     * @throws IOException if it cannot be written
     */
    void keepOwnLimit(String uuid, long milliwatts) throws IOException {
        Path draft = file(uuid, ".own.tmp");
        Files.deleteIfExists(draft);
        Files.writeString(draft, boot + " " + milliwatts, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(draft, file(uuid, ".own"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** @throws IOException if it cannot be removed */
    void forgetOwnLimit(String uuid) throws IOException {
        Files.deleteIfExists(file(uuid, ".own"));
    }

    /** What a holder that was killed has left, mW; empty where none was, or the machine has started anew since. */
    OptionalLong ownLimitLeft(String uuid) {
        try {
            String[] words = Files.readString(file(uuid, ".own")).split(" ", 2);
            return words.length == 2 && words[0].equals(boot)
                    ? OptionalLong.of(Long.parseLong(words[1]))
                    : OptionalLong.empty();
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        } catch (IOException | NumberFormatException e) {
            LOG.warn("cannot read the own limit of {} that another process has left: {}", uuid, e.toString());
            return OptionalLong.empty();
        }
    }

    private String holder(String uuid) {
        try {
            return Files.readString(file(uuid, ".holder"));
        } catch (IOException e) {
            return "another process";
        }
    }

    private Path file(String uuid, String end) {
        return directory.resolve(uuid.replaceAll("[^A-Za-z0-9_-]", "_") + end);
    }

    @Override
    public void close() {
        held.forEach((uuid, channel) -> {
            try {
                Files.deleteIfExists(file(uuid, ".holder"));
                channel.close();
            } catch (IOException e) {
                LOG.warn("cannot unlock {}: {}", uuid, e.toString());
            } finally {
                HELD_IN_THIS_PROCESS.remove(file(uuid, ".lock"));
            }
        });
        held.clear();
    }
}
