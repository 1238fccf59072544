// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/** What is known of a worker, now or when it was told. */
public interface WorkerState {
    /** Until it has run all that it has, ms. */
    double waitMs();

    /** Whether a model is in its GPU's memory, or on the way there. */
    boolean holds(int model);

    /** Of the GPU's memory, what no model takes. */
    double freeKb();
}
