// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import io.treadle.simulator.trace.History;
import io.treadle.simulator.trace.TraceJob;

/**
 * A job as it really ran and as it was simulated; times in ms since the trace's zero.
 *
 * @param startMs its first start in the simulation
 * @param endMs its end in the simulation
 */
record Twice(TraceJob job, History really, long startMs, long endMs) {
    private static final double SECOND = 1000;

    double realWait() {
        return (really.startMs() - job.submitMs()) / SECOND;
    }

    double simulatedWait() {
        return (startMs - job.submitMs()) / SECOND;
    }

    double realJct() {
        return (really.endMs() - job.submitMs()) / SECOND;
    }

    double simulatedJct() {
        return (endMs - job.submitMs()) / SECOND;
    }
}
