// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One line of a worker's progress file (spec: {@code docs/spec/worker-contract.md}).
 *
 * @param ts wall-clock time, seconds since the epoch
 * @param step optimiser steps done since the job's first start
 * @param samples samples done by this worker since the job's first start
 * @param batchSize samples of a gradient pass
 * @param passes gradient passes of a step; who says it obeys the command {@code batch}
 * @param data what the worker reads
 * @param impossibleData whether the line says something of that which cannot be, and is left out
 * @param checkpoint name of a checkpoint that is complete
 * @param commandEpoch epoch of the command that this line answers
 * @param refused why that command cannot be obeyed
 */
public record ProgressLine(
        double ts,
        long step,
        long samples,
        OptionalDouble epoch,
        OptionalDouble loss,
        OptionalLong batchSize,
        OptionalLong passes,
        OptionalDouble dataWaitSeconds,
        boolean ready,
        Optional<DataReport> data,
        boolean impossibleData,
        Optional<String> checkpoint,
        OptionalLong commandEpoch,
        Optional<String> refused) {
    /** More samples or steps than any worker does, and few enough that sums over workers do not overflow. */
    public static final long MOST = 1_000_000_000_000_000L;

    /** @throws WireFormatException if the line is no such record */
    public static ProgressLine fromJson(String line) {
        Fields json = Fields.parse("progress line", line);
        Optional<DataReport> data = Optional.empty();
        boolean impossibleData = false;
        try {
            data = json.has("data") ? Optional.of(DataReport.from(json.object("data"))) : data;
        } catch (WireFormatException e) {
            impossibleData = true;
        }
        return new ProgressLine(
                json.number("ts", 0, 1e12),
                json.integer("step", 0, MOST),
                json.integer("samples", 0, MOST),
                optionalNumber(json, "epoch"),
                optionalNumber(json, "loss"),
                optionalInteger(json, "batchSize", MOST),
                optionalInteger(json, "passes", MOST),
                optionalNumber(json, "dataWaitSeconds"),
                json.flag("ready", false),
                data,
                impossibleData,
                json.optionalText("checkpoint"),
                optionalInteger(json, "commandEpoch", Long.MAX_VALUE),
                json.optionalText("refused"));
    }

    private static OptionalDouble optionalNumber(Fields json, String name) {
        return json.has(name)
                ? OptionalDouble.of(json.number(name, -Double.MAX_VALUE, Double.MAX_VALUE))
                : OptionalDouble.empty();
    }

    private static OptionalLong optionalInteger(Fields json, String name, long most) {
        return json.has(name) ? OptionalLong.of(json.integer(name, 0, most)) : OptionalLong.empty();
    }
}
