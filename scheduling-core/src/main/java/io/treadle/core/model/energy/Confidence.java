// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

/** How far a model of time and energy can be relied on, by how well it foretells what it was not fitted to. */
public enum Confidence {
    /** Off by at most 5 % on average. */
    HIGH,
    /** Off by at most 10 % on average. */
    MEDIUM,
    /** Worse, or nobody knows: good enough to shrink or cap a job by, not to bet GPUs on. */
    LOW;

    /** @param relativeError mean of what was foretold against what was measured, 0.05 for 5 %; NaN where nobody knows */
    public static Confidence of(double relativeError) {
        return relativeError <= 0.05 ? HIGH : relativeError <= 0.1 ? MEDIUM : LOW;
    }
}
