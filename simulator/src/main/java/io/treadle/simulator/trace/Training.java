// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.model.energy.EnergyProfile;
import java.util.Optional;

/**
 * What a job trains, as a trace tells it beside the run time.
 *
 * @param model the model's name
 * @param batch samples of an iteration on all its GPUs together; 0 where nobody knows
 * @param iterations how many it does; of traces that do not tell, one a second
 * @param secondsPerIteration how long one takes, s; with {@code iterations} about the run time, which some traces round
 * @param energy how fast the job is and what it draws with other numbers of GPUs and under power caps, where that is known
 * @param believed what policies are told of that, where it is not the truth
 */
public record Training(
        String model,
        long batch,
        double iterations,
        double secondsPerIteration,
        Optional<EnergyProfile> energy,
        Optional<EnergyProfile> believed) {
    /** Of which policies are told the truth. */
    public Training(
            String model, long batch, double iterations, double secondsPerIteration, Optional<EnergyProfile> energy) {
        this(model, batch, iterations, secondsPerIteration, energy, energy);
    }

    /** Of nobody knows which batch size. */
    public Training(String model, double iterations, double secondsPerIteration, Optional<EnergyProfile> energy) {
        this(model, 0, iterations, secondsPerIteration, energy);
    }

    /** Of whose draw nothing is known. */
    public Training(String model, double iterations, double secondsPerIteration) {
        this(model, iterations, secondsPerIteration, Optional.empty());
    }

    /** The same of which policies are told this. */
    public Training believed(EnergyProfile other) {
        return new Training(model, batch, iterations, secondsPerIteration, energy, Optional.of(other));
    }

    /** All iterations. */
    public Work work() {
        return new Work(iterations, secondsPerIteration);
    }
}
