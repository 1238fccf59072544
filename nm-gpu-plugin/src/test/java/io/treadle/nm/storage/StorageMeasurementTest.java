// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system with a clock that goes a step at each look. */
class StorageMeasurementTest {
    private static final long SECOND = 1_000_000_000L;

    private final Path directory;

    StorageMeasurementTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void bytesAreBounded() throws IOException {
        assertEquals(
                8 << 20,
                new StorageMeasurement(8 << 20, 1000, clock(1)).in(directory).bytes());
        assertEquals(
                StorageMeasurement.CHUNK_BYTES,
                new StorageMeasurement(1, 1000, clock(1)).in(directory).bytes(),
                "one chunk at least");
        assertNothingLeft();
    }

    @Test
    void timeIsBounded() throws IOException {
        // Half of the 4 s are for writing: they are over when four chunks are on the disk.
        StorageMeasurement.Speed speed = new StorageMeasurement(1L << 30, 4, clock(3 * SECOND)).in(directory);
        assertEquals(4L * StorageMeasurement.CHUNK_BYTES, speed.bytes());
        assertNothingLeft();
    }

    @Test
    void speedIsBytesOverTime() throws IOException {
        StorageMeasurement.Speed speed = new StorageMeasurement(8 << 20, 1000, clock(SECOND)).in(directory);
        assertEquals(Math.round((8 << 20) / 1e6), speed.writeMBps(), "two looks, 1 s apart");
        assertTrue(speed.slower() >= 1 && speed.slower() <= speed.writeMBps());
    }

    @Test
    void slowerOfBothAndNeverNought() {
        assertEquals(90, new StorageMeasurement.Speed(200, OptionalLong.of(90), 1).slower());
        assertEquals(200, new StorageMeasurement.Speed(200, OptionalLong.empty(), 1).slower());
        assertEquals(1, new StorageMeasurement.Speed(0, OptionalLong.of(90), 1).slower());
    }

    @Test
    void tooLittleRoomIsAFailureWithNumbers() {
        IOException failure = assertThrows(
                IOException.class, () -> new StorageMeasurement(Long.MAX_VALUE / 4, 1, clock(1)).in(directory));
        assertTrue(
                String.valueOf(failure.getMessage()).matches(".* has \\d+ MiB free, the measurement needs twice .*"));
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of(), files.toList());
        }
    }

    private static LongSupplier clock(long stepNanos) {
        AtomicLong now = new AtomicLong();
        return () -> now.getAndAdd(stepNanos);
    }
}
