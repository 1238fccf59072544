// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Resident memory of this process and of all that it started, as the NodeManager adds it up: shared pages count for each. */
final class MemoryMeter {
    private static final String RESIDENT = "VmRSS:";

    private MemoryMeter() {}

    /** MiB, rounded up; 0 where it cannot be told. */
    static long residentMiB() {
        ProcessHandle self = ProcessHandle.current();
        try (Stream<ProcessHandle> started = self.descendants()) {
            long kib = Stream.concat(Stream.of(self), started)
                    .mapToLong(process -> residentKib(process.pid()))
                    .sum();
            return (kib + 1023) / 1024;
        }
    }

    private static long residentKib(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith(RESIDENT)) {
                    return Long.parseLong(
                            line.substring(RESIDENT.length()).replace("kB", "").trim());
                }
            }
        } catch (IOException | RuntimeException e) {
            // It has ended meanwhile, or this is no Linux.
            return 0;
        }
        return 0;
    }
}
