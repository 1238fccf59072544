// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import io.treadle.core.query.QueryTask;

/** How long tasks really run, whatever is expected of them. */
public interface RunTimes {
    /** As long as is expected. */
    RunTimes EXPECTED = (query, workflow, task) -> task.runMs();

    /**
     * The same each time for the same task of the same query.
     *
     * @param query its id
     * @param workflow its name
     * @return ms, 0 or more
     */
    double ms(String query, String workflow, QueryTask task);
}
