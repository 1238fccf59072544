// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.Optional;

/** Whether a job goes on after one of its workers failed. Guarded by the {@link JobMaster}. */
final class RestartPolicy {
    /** A worker that fails sooner, without progress, fails at once: its command is wrong. */
    static final double AT_ONCE_SECONDS = 10;

    private static final int AT_ONCE_LIMIT = 2;

    private final int maxRestarts;
    private int restarts;
    private int failures;
    private int atOnceInARow;

    RestartPolicy(int maxRestarts) {
        this.maxRestarts = maxRestarts;
    }

    void restore(int savedRestarts, int savedFailures) {
        restarts = savedRestarts;
        failures = savedFailures;
    }

    int restarts() {
        return restarts;
    }

    int failures() {
        return failures;
    }

    /** A worker has made progress, so that its command works. */
    void progressed() {
        atOnceInARow = 0;
    }

    /** A loss that the job is not to blame for; it is a restart only where the gang had been started. */
    void restartWithoutBlame(boolean started) {
        restarts += started ? 1 : 0;
    }

    /** Counts a failure; returns why the job must end, or nothing if it may restart. */
    Optional<String> failed(boolean atOnce) {
        failures++;
        atOnceInARow = atOnce ? atOnceInARow + 1 : 0;
        if (atOnceInARow >= AT_ONCE_LIMIT) {
            return Optional.of("failed within " + Math.round(AT_ONCE_SECONDS) + " s without progress, " + AT_ONCE_LIMIT
                    + " times in a row.\nMaybe the command or a file that it needs is wrong.");
        }
        if (failures > maxRestarts) {
            return Optional.of(
                    maxRestarts == 0
                            ? "the job allows no restart.\nMaybe raise 'maxRestarts'."
                            : "the job has been restarted " + maxRestarts + " times already, its limit.\n"
                                    + "Maybe raise 'maxRestarts'.");
        }
        restarts++;
        return Optional.empty();
    }
}
