// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.budget.CarbonIntensity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The grid's carbon intensity from a file that somebody else writes on: it is read again when it has changed. */
public final class GridCarbon {
    /** A value holds until the next: by then the file should have had one, ms. */
    private static final long STALE_MS = 2 * 3_600_000;

    private final String file;
    private @Nullable FileTime readAt;
    private Optional<CarbonIntensity> intensity = Optional.empty();
    private List<String> troubles = List.of();
    private long lastMs;

    /** @param file empty for none */
    public GridCarbon(String file) {
        this.file = file;
    }

    /** Reads the file if it has changed since; by one thread. What is known is told meanwhile: a file system may hang. */
    void refresh() {
        if (file.isEmpty()) {
            return;
        }
        try {
            FileTime changed = Files.getLastModifiedTime(Path.of(file));
            if (changed.equals(readAt)) {
                return;
            }
            CarbonTable table = CarbonTable.parse(file, Files.readAllLines(Path.of(file)));
            readAt = changed;
            if (table.series().isEmpty()) {
                throw new IllegalArgumentException("it has no line that can be used");
            }
            know(table);
        } catch (IOException | RuntimeException e) {
            readAt = null;
            complain("The grid's carbon intensity cannot be read from " + file + ": " + reason(e) + ". "
                    + (intensity().isPresent()
                            ? "What was read before goes on to count."
                            : "Budgets of CO2 mean nothing until it can, budgets in watts count alone."));
        }
    }

    private synchronized void know(CarbonTable table) {
        intensity = Optional.of(new CarbonIntensity(table.series()));
        lastMs = table.series().lastKey();
        troubles = table.troubles();
    }

    private synchronized void complain(String trouble) {
        troubles = List.of(trouble);
    }

    private static String reason(Exception e) {
        return e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
    }

    /** Empty where nothing could be read yet. */
    synchronized Optional<CarbonIntensity> intensity() {
        return intensity;
    }

    /** What is wrong with the series, where a budget goes by it: whole sentences. */
    synchronized List<String> warnings(long nowMs) {
        List<String> all = new ArrayList<>(troubles);
        if (file.isEmpty()) {
            all.add("A budget of CO2 is set and no file with the grid's carbon intensity is named"
                    + " (yarn.scheduler.treadle.power.carbon-file): it means nothing, budgets in watts count alone.");
        } else if (intensity.isPresent() && nowMs > lastMs + STALE_MS) {
            all.add("The last carbon intensity in " + file + " is of " + PowerTimes.text(lastMs)
                    + ": it goes on to count until the file has newer ones.");
        }
        return all;
    }
}
