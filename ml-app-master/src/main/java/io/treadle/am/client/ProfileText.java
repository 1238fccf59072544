// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** Short texts about profiles. */
final class ProfileText {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ProfileText() {}

    /** Where the ResourceManager keeps the user's profile. */
    static String key(String user, ProfileRecord record) {
        return String.join(
                "/",
                ZkPaths.name(user),
                ZkPaths.name(record.modelTag()),
                ZkPaths.name(record.gpuModel()),
                Long.toString(record.batchSize()));
    }

    /** A key holds nothing that would have to be escaped but {@code @}, which may stand in a path as it is. */
    static String path(String key) {
        return "profiles/" + key;
    }

    /** As a file. */
    static String pretty(ProfileRecord record) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(MAPPER.readTree(record.toJson())) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String count(long number, String thing) {
        return String.format(Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
    }

    /** In one unit: {@code 5 min}, {@code 3 h}, {@code 12 d}. */
    static String age(long ms) {
        long minutes = Math.max(0, ms) / 60_000;
        if (minutes < 60) {
            return minutes < 1 ? "< 1 min" : minutes + " min";
        }
        return minutes < 48 * 60 ? minutes / 60 + " h" : minutes / (24 * 60) + " d";
    }

    /** For what storage a drawing over memory is; empty where that is not known, as jobs are then planned with the same. */
    static String storage(ProfileDataset d) {
        return d.nodeMBps() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  drawn for storage of %,d MB/s, as where it was measured; planned with that of the fastest node%n",
                        d.nodeMBps());
    }

    static String dataset(ProfileDataset d) {
        StringBuilder text =
                new StringBuilder("reads ").append(String.format(Locale.ROOT, "%,.1f GB", d.bytes() / 1e9));
        if (d.samples() > 0) {
            text.append(" in ").append(count(d.samples(), "sample"));
        }
        if (d.memoryMBps() > 0) {
            text.append(String.format(Locale.ROOT, "; from memory at %,.0f MB/s", d.memoryMBps()));
        }
        if (d.diskMBps() > 0) {
            text.append(String.format(Locale.ROOT, "; from disk at %,.0f MB/s", d.diskMBps()));
        }
        if (d.nodeMBps() > 0) {
            text.append(String.format(Locale.ROOT, " (its node: %,d MB/s)", d.nodeMBps()));
        }
        if (d.workingMemoryMiB() > 0) {
            text.append(String.format(Locale.ROOT, "; needs %,d MiB beside its cache", d.workingMemoryMiB()));
        }
        return text.toString();
    }

    /** A table of what was measured under which cap; empty where nothing was. */
    static String energy(List<EnergyPoint> points) {
        if (points.isEmpty()) {
            return "";
        }
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%n%6s %6s %8s %8s %12s %10s %14s %10s %8s%n",
                "gpus",
                "nodes",
                "batch",
                "cap W",
                "samples/s",
                "draw W",
                "J per sample",
                "measured",
                "seconds"));
        for (EnergyPoint p : points) {
            table.append(String.format(
                    Locale.ROOT,
                    "%6d %6d %8s %8.0f %12s %10.0f %14s %10s %8.0f%n",
                    p.gpus(),
                    p.nodes(),
                    batch(p),
                    p.capWatts(),
                    CurveDrawing.number(p.samplesPerSecond()),
                    p.watts(),
                    CurveDrawing.number(p.joulesPerSample()),
                    p.count() + " ×",
                    p.seconds()));
        }
        return table.toString();
    }

    private static String batch(EnergyPoint point) {
        String size = point.batch() == 0 ? "?" : Long.toString(point.batch());
        return point.passes() > 1 ? point.passes() + "×" + size : size;
    }
}
