// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.energy.ModelZoo;
import io.treadle.simulator.input.Row;
import java.util.Optional;

/** Columns that say which model a job trains, and how many samples it takes for an iteration: both or none. */
record ModelColumns(String model, String batch) {
    private static final long MOST_SAMPLES = 1_000_000;

    /** Empty where the row has neither. */
    Optional<Training> read(Row row, double iterations, double secondsPerIteration) {
        Optional<String> name = row.optional(model);
        if (name.isEmpty() && row.optional(batch).isEmpty()) {
            return Optional.empty();
        }
        if (name.isEmpty() || row.optional(batch).isEmpty()) {
            throw row.wrong(
                    name.isEmpty() ? model : batch,
                    "",
                    "there where " + (name.isEmpty() ? batch : model) + " is: both say what the job trains, or none");
        }
        if (!ModelZoo.names().contains(name.get())) {
            throw row.wrong(model, name.get(), "one of " + String.join(", ", ModelZoo.names()));
        }
        return Optional.of(new Training(
                name.get(), row.whole(batch, 1, MOST_SAMPLES), iterations, secondsPerIteration, Optional.empty()));
    }
}
