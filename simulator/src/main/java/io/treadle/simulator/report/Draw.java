// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Outcome;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a run drew. Arrays are not changed.
 *
 * @param seconds middles of stretches, s since the first thing that happened
 * @param watts mean draw of all nodes with all GPUs in each, W
 * @param limitWatts what they might draw, W; infinite where there was no limit
 * @param meanWatts over the run, W
 * @param jobJoules by the job's number, its GPUs and its part of its nodes, J
 */
@SuppressWarnings("ArrayRecordComponent") // not compared; boxed lists of thousands of numbers would be
record Draw(double[] seconds, double[] watts, double[] limitWatts, double meanWatts, double[] jobJoules) {
    /** Empty where nobody knows what the cluster draws. */
    static Optional<Draw> of(Outcome outcome) {
        return outcome.drawn()
                .map(drawn -> new Draw(
                        drawn.series().seconds(),
                        drawn.series().watts(),
                        drawn.series().limitWatts(),
                        drawn.joules() / Math.max(1e-3, drawn.series().spanSeconds()),
                        outcome.jobs().stream().mapToDouble(JobRun::joules).toArray()));
    }

    boolean hasLimit() {
        return Arrays.stream(limitWatts).anyMatch(Double::isFinite);
    }

    void write(DataOutput out) throws IOException {
        for (double[] values : new double[][] {seconds, watts, limitWatts, jobJoules}) {
            out.writeInt(values.length);
            for (double value : values) {
                out.writeDouble(value);
            }
        }
        out.writeDouble(meanWatts);
    }

    static Draw read(DataInput in) throws IOException {
        double[] seconds = values(in);
        double[] watts = values(in);
        double[] limits = values(in);
        double[] joules = values(in);
        return new Draw(seconds, watts, limits, in.readDouble(), joules);
    }

    private static double[] values(DataInput in) throws IOException {
        double[] values = new double[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
        return values;
    }
}
