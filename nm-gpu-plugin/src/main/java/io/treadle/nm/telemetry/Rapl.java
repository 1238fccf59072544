// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Draw of the processors and their memory by the kernel's energy counters, {@code /sys/class/powercap/intel-rapl*}; AMD's
 * have the same names. Since 2020 kernels let only root read them.
 */
final class Rapl {
    /** Reads a file of the kernel's; a test puts another in its place. */
    interface Source {
        String read(Path file) throws IOException;
    }

    private record Mark(long microjoules, long ms) {}

    private final List<Path> zones;
    private final Source files;
    private final Map<Path, Mark> marks = new HashMap<>();

    /** @throws IOException if there are no counters, or they cannot be read */
    Rapl(Path directory, Source files) throws IOException {
        this.files = files;
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "intel-rapl:*")) {
            for (Path zone : all) {
                String name = files.read(zone.resolve("name")).strip();
                // Cores and caches are parts of their package; memory is not.
                if (name.startsWith("package") || name.equals("dram")) {
                    found.add(zone);
                }
            }
        }
        if (found.isEmpty()) {
            throw new IOException("no processors in " + directory);
        }
        found.sort(null);
        zones = List.copyOf(found);
        for (Path zone : zones) {
            microjoules(zone);
        }
    }

    /**
     * Mean draw since the last call, W; empty at the first.
     *
     * @throws IOException if a counter cannot be read
     */
    OptionalDouble watts(long nowMs) throws IOException {
        double watts = 0;
        boolean known = true;
        for (Path zone : zones) {
            long now = microjoules(zone);
            Mark last = marks.put(zone, new Mark(now, nowMs));
            if (last == null || nowMs <= last.ms()) {
                known = false;
                continue;
            }
            long spent = now - last.microjoules();
            if (spent < 0) {
                spent += number(zone.resolve("max_energy_range_uj"));
            }
            watts += Math.max(0, spent) / 1000.0 / (nowMs - last.ms());
        }
        return known ? OptionalDouble.of(watts) : OptionalDouble.empty();
    }

    private long microjoules(Path zone) throws IOException {
        return number(zone.resolve("energy_uj"));
    }

    private long number(Path file) throws IOException {
        String text = files.read(file).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(file + " reads '" + text + "', which is no number", e);
        }
    }
}
