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
    private static final String WAITING = "waiting";

    private final Console console;
    private final InstantSource clock;
    private String shown = "";
    private boolean lineOpen;
    private boolean masterSeen;

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
        if (status.state() == YarnApplicationState.RUNNING && status.master().isEmpty() && masterSeen) {
            // It is just ending, starting again or slow to answer: what is shown is still the last that is known.
            return;
        }
        masterSeen |= status.master().isPresent();
        if (console.terminal()) {
            // Carriage return, then erase the rest of the line.
            console.err().command("\r");
            console.err().print(clip(line(status)));
            console.err().command("\u001b[K");
            lineOpen = true;
            return;
        }
        String change = stateOf(status) + note(status) + (int) (status.progress() * STEPS);
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
        status.master().filter(MasterStatus::hasWorkers).ifPresent(master -> {
            if (master.samples() > 0 || master.totalSamples() > 0) {
                parts.add(samples(master));
                parts.add(String.format(Locale.ROOT, "%,.1f/s", master.samplesPerSecond()));
            }
            parts.add(master.workers() == 1 ? "1 worker" : master.workers() + " workers");
            if (master.resizes() > 0) {
                parts.add(master.resizes() == 1 ? "1 resize" : master.resizes() + " resizes");
            }
        });
        if (!note(status).isEmpty()) {
            parts.add(note(status));
        }
        return status.id() + "  " + Durations.clock(clock.millis() - status.startedMs()) + "  "
                + String.join(", ", parts);
    }

    private static String samples(MasterStatus master) {
        long total = master.totalSamples();
        return total > 0
                ? String.format(
                        Locale.ROOT,
                        "%d %%, %,d of %,d samples",
                        100 * Math.min(master.samples(), total) / total,
                        master.samples(),
                        total)
                : String.format(Locale.ROOT, "%,d samples", master.samples());
    }

    /** One word: what the job does now. */
    static String stateOf(JobStatus status) {
        if (status.master().isPresent() && !status.master().get().isWaiting()) {
            return status.master().get().state();
        }
        boolean runs = status.state() == YarnApplicationState.RUNNING
                && status.master().isEmpty();
        return runs ? "running" : WAITING;
    }

    /** Why it waits, as the scheduler says it; or what it is doing, as its ApplicationMaster says it. */
    static String note(JobStatus status) {
        String said = status.master().map(MasterStatus::note).orElse("");
        String reason = stateOf(status).equals(WAITING) ? Causes.firstSentence(status.diagnostics()) : "";
        return reason.isEmpty() ? said : reason;
    }

    private static String clip(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }
}
