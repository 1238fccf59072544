// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import java.util.OptionalDouble;

/**
 * What is random in an experiment.
 *
 * @param seed all of it is drawn from this
 * @param load how many times the cluster's GPUs the jobs are to ask for, drawn at random from the trace; empty to take the
 *     trace as it is
 */
public record Experiment(long seed, OptionalDouble load) {
    /** The first seed that FGD's authors published, and the trace as it is. */
    public static final Experiment DEFAULT = new Experiment(42, OptionalDouble.empty());
}
