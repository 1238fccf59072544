// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** Shows a followed job: one line that is rewritten on a terminal, else one plain line per change. */
final class ProgressPrinter implements JobListener {
    private static final int WIDTH = 118;
    private static final int STEPS = 10;

    private final Console console;
    private final InstantSource clock;
    private String shown = "";
    private boolean lineOpen;

    ProgressPrinter(Console console, InstantSource clock) {
        this.console = console;
        this.clock = clock;
    }

    @Override
    public void seen(JobStatus status) {
        if (status.isOver()) {
            closeLine();
            return;
        }
        if (console.terminal()) {
            // Carriage return, then erase the rest of the line.
            console.err().print("\r" + clip(line(status)) + "\u001b[K");
            console.err().flush();
            lineOpen = true;
            return;
        }
        String change = stateOf(status) + waitReason(status) + (int) (status.progress() * STEPS);
        if (!change.equals(shown)) {
            shown = change;
            console.err().println(line(status));
        }
    }

    /** Ends the line that is being rewritten, so that what follows starts in a new one. */
    void closeLine() {
        if (lineOpen) {
            console.err().println();
            lineOpen = false;
        }
    }

    private String line(JobStatus status) {
        List<String> parts = new ArrayList<>();
        parts.add(stateOf(status));
        status.master().ifPresent(master -> {
            parts.add(
                    master.totalSamples() > 0
                            ? "%d %%, %,d of %,d samples"
                                    .formatted(
                                            100
                                                    * Math.min(master.samples(), master.totalSamples())
                                                    / master.totalSamples(),
                                            master.samples(),
                                            master.totalSamples())
                            : "%,d samples".formatted(master.samples()));
            parts.add("%,.1f/s".formatted(master.samplesPerSecond()));
            parts.add(master.workers() == 1 ? "1 worker" : master.workers() + " workers");
            if (master.resizes() > 0) {
                parts.add(master.resizes() == 1 ? "1 resize" : master.resizes() + " resizes");
            }
        });
        if (!waitReason(status).isEmpty()) {
            parts.add(waitReason(status));
        }
        return status.id() + "  " + Durations.clock(clock.millis() - status.startedMs()) + "  "
                + String.join(", ", parts);
    }

    private static String stateOf(JobStatus status) {
        return status.master()
                .map(MasterStatus::state)
                .orElse(status.state() == YarnApplicationState.RUNNING ? "running" : "waiting")
                .toLowerCase(Locale.ROOT);
    }

    private static String waitReason(JobStatus status) {
        boolean waits = stateOf(status).equals("waiting");
        return waits ? Causes.firstSentence(status.diagnostics()) : "";
    }

    private static String clip(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }
}
