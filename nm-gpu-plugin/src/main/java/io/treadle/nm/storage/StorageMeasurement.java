// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.storage;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How fast one file system is: a file is written, with what is written forced to the disk as it goes, and read again past
 * the page cache. The file is gone afterwards.
 */
final class StorageMeasurement {
    static final int CHUNK_BYTES = 4 << 20;

    private static final int CHUNKS_PER_SYNC = 4;
    private static final String PREFIX = ".treadle-storage-";
    private static final int SEED = 1;

    private final long mostBytes;
    private final long mostNanos;
    private final LongSupplier nanoTime;

    /**
     * @param writeMBps MB/s (10⁶ bytes)
     * @param readMBps the same; empty where the file system cannot read past the page cache, as tmpfs
     * @param bytes size of the file that was written
     */
    record Speed(long writeMBps, OptionalLong readMBps, long bytes) {
        /** The slower of the two, and at least 1 MB/s. */
        long slower() {
            return Math.max(1, Math.min(writeMBps, readMBps.orElse(writeMBps)));
        }
    }

    /**
     * @param mostBytes the file's size at most; whole chunks of {@link #CHUNK_BYTES}, at least one
     * @param mostSeconds for writing and reading together, overrun by at most four chunks and a sync
     * @param nanoTime as {@link System#nanoTime}
     */
    StorageMeasurement(long mostBytes, long mostSeconds, LongSupplier nanoTime) {
        this.mostBytes = mostBytes;
        this.mostNanos = TimeUnit.SECONDS.toNanos(mostSeconds);
        this.nanoTime = nanoTime;
    }

    /** @throws IOException if the directory's file system has not room for twice the file, or does not take or give it */
    Speed in(Path directory) throws IOException {
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < 2 * mostBytes) {
            throw new IOException(directory + " has " + (free >> 20) + " MiB free, the measurement needs twice "
                    + (mostBytes >> 20) + " MiB");
        }
        Path file = Files.createTempFile(directory, PREFIX, ".tmp");
        try {
            long begun = nanoTime.getAsLong();
            long bytes = write(file, begun + mostNanos / 2);
            long written = nanoTime.getAsLong();
            long write = megabytesPerSecond(bytes, written - begun);
            return new Speed(write, read(file, begun + mostNanos), bytes);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private long write(Path file, long deadline) throws IOException {
        byte[] noise = new byte[CHUNK_BYTES];
        new Random(SEED).nextBytes(noise); // Disks that compress would be too fast with zeros.
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).put(noise);
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int chunks = 1; chunks == 1 || bytes + CHUNK_BYTES <= mostBytes; chunks++) {
                chunk.flip();
                while (chunk.hasRemaining()) {
                    bytes += channel.write(chunk);
                }
                if (chunks % CHUNKS_PER_SYNC == 0) {
                    channel.force(false);
                    if (nanoTime.getAsLong() - deadline >= 0) {
                        break;
                    }
                }
            }
            channel.force(true);
        }
        return bytes;
    }

    private OptionalLong read(Path file, long deadline) throws IOException {
        int block = Math.toIntExact(Files.getFileStore(file).getBlockSize());
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES + block).alignedSlice(block);
        chunk.limit(CHUNK_BYTES);
        FileChannel opened;
        try {
            opened = FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
        } catch (IOException | UnsupportedOperationException e) {
            return OptionalLong.empty();
        }
        try (FileChannel channel = opened) {
            long begun = nanoTime.getAsLong();
            long bytes = 0;
            long now;
            int count;
            do {
                chunk.rewind();
                count = channel.read(chunk);
                bytes += Math.max(0, count);
                now = nanoTime.getAsLong();
            } while (count > 0 && now - deadline < 0);
            return OptionalLong.of(megabytesPerSecond(bytes, now - begun));
        }
    }

    private static long megabytesPerSecond(long bytes, long nanos) {
        return Math.round(bytes * 1e3 / Math.max(1, nanos));
    }
}
