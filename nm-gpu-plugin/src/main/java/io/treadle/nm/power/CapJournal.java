// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.Fields;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits that GPUs had before they were capped, on disk: {@code {"schema":1,"boot":"…","limits":[{"uuid":"GPU-…",
 * "milliwatts":400000}]}}. A GPU is in it from before its first cap until its own limit is back, so what is found at a start
 * is what a process left that was killed. Used by one thread.
 */
public final class CapJournal {
    private static final int SCHEMA = 1;
    private static final long MOST_MILLIWATTS = 100_000_000;

    private final Path file;
    private final Path directory;
    private final String boot;
    private final Map<String, Long> limits = new TreeMap<>();

    /** What was found at a start. */
    public sealed interface Found {}

    /** Nothing: the process before, if there was one, has restored all that it had capped. */
    public record Clean() implements Found {}

    /** @param limits own limits by UUID, mW, of the GPUs that are still capped */
    public record Left(Map<String, Long> limits) implements Found {
        public Left {
            limits = Map.copyOf(limits);
        }
    }

    /** A journal of before the machine started anew, which took all caps away. It is removed. */
    public record OtherBoot(String limits) implements Found {}

    /**
     * A journal that cannot be read.
     *
     * @param kept where it was moved to
     */
    public record Unreadable(String why, Path kept) implements Found {}

    /** @param boot {@link BootId#current()} */
    public CapJournal(Path file, String boot) {
        this.file = file.toAbsolutePath();
        this.directory = requireNonNull(this.file.getParent(), "a journal is no root directory");
        this.boot = boot;
    }

    public Path file() {
        return file;
    }

    /**
     * Reads what a process before has left, and goes on from there.
     *
     * @throws IOException if the file is there and cannot be opened or moved away
     */
    public Found open() throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return new Clean();
        }
        try {
            Fields json = Fields.parse("power journal " + file, text).checkSchema(SCHEMA);
            Map<String, Long> found = new TreeMap<>();
            json.objects("limits")
                    .forEach(item -> found.put(item.text("uuid"), item.integer("milliwatts", 1, MOST_MILLIWATTS)));
            if (!json.text("boot").equals(boot)) {
                Files.delete(file);
                return new OtherBoot(found.toString());
            }
            limits.putAll(found);
            return new Left(limits);
        } catch (WireFormatException e) {
            Path kept = file.resolveSibling(file.getFileName() + ".unreadable");
            Files.move(file, kept, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            return new Unreadable(String.valueOf(e.getMessage()), kept);
        }
    }

    public boolean has(String uuid) {
        return limits.containsKey(uuid);
    }

    /**
     * Notes a GPU's own limit. What is there already stays: it is from before the first cap.
     *
     * @throws IOException if it may not be on the disk; then the GPU must not be capped
     */
    public void put(String uuid, long milliwatts) throws IOException {
        if (!has(uuid)) {
            limits.put(uuid, milliwatts);
            try {
                write();
            } catch (IOException e) {
                limits.remove(uuid);
                throw e;
            }
        }
    }

    /**
     * Forgets a GPU that has its own limit back.
     *
     * @throws IOException if that may not be on the disk; it is restored once more at the next start
     */
    public void remove(String uuid) throws IOException {
        if (limits.remove(uuid) != null) {
            if (limits.isEmpty()) {
                Files.deleteIfExists(file);
                forceDirectory();
            } else {
                write();
            }
        }
    }

    private void write() throws IOException {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA).put("boot", boot);
        limits.forEach((uuid, milliwatts) ->
                json.withArray("limits").addObject().put("uuid", uuid).put("milliwatts", milliwatts));
        Files.createDirectories(directory);
        Path draft = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory();
    }

    /** The new name, too, is on the disk only when its directory is. */
    private void forceDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
