// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;

/** Where the demo shows what happens. */
public interface Screen {
    /** A line that stays. */
    void line(String text);

    /**
     * The state of a run now.
     *
     * @param elapsedSeconds since the run began
     */
    void update(String policy, double elapsedSeconds, List<JobRow> rows);

    /** The run is over: what was shown last stays. */
    void endRun();
}
