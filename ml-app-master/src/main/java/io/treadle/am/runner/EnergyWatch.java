// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads the container's {@code energy.json}, where the node writes one. What is wrong with it is counted, and nothing else. */
final class EnergyWatch {
    private static final String PROBLEM = "bad energy.json";
    private static final int MOST_BYTES = 16 * 1024;

    private final Path file;
    private String text = "";
    private Optional<EnergyFile> last = Optional.empty();
    private long bad;

    EnergyWatch(Path controlDirectory) {
        file = controlDirectory.resolve(EnergyFile.NAME);
    }

    /**
     * What it says now; empty where it is not there or bad.
     *
     * @param nowMs wall-clock time of this host, which is the node's, ms since the epoch
     */
    Optional<ReportMessage.Energy> read(long nowMs) {
        try (InputStream in = Files.newInputStream(file)) {
            take(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            text = "";
            last = Optional.empty();
        } catch (IOException e) {
            bad++;
            last = Optional.empty();
        }
        return last.map(energy -> new ReportMessage.Energy(energy, Math.max(0, nowMs - energy.atMs()) / 1e3));
    }

    /** Each text is looked at, and counted, once. */
    private void take(String now) {
        if (now.equals(text)) {
            return;
        }
        text = now;
        try {
            last = Optional.of(EnergyFile.fromJson(now));
        } catch (WireFormatException e) {
            bad++;
            last = Optional.empty();
        }
    }

    /** Counts of what was wrong, by kind; empty where nothing was. */
    Map<String, Long> problems() {
        return bad == 0 ? Map.of() : Map.of(PROBLEM, bad);
    }
}
