// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.core.query.Model;

/** Is told what a worker does. Calls come from the worker's own threads, and hold up what comes next. */
public interface EngineListener {
    void ended(TaskEnd end);

    /** @param ms how long it took */
    default void loaded(Model model, double ms) {}

    /** A model went for others. */
    default void dropped(Model model) {}
}
