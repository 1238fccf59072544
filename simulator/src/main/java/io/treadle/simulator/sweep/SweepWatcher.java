// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.replay.Watcher;

/** Is told how far a sweep is, by several threads. */
public interface SweepWatcher {
    /** Somebody who does not want to know. */
    SweepWatcher NONE = new SweepWatcher() {};

    /**
     * What is to be done.
     *
     * @param runs policies at points
     * @param done how many of them need not run again
     */
    default void begins(int runs, int done) {}

    /** Is told of one run, should it not be done yet. */
    default Watcher run() {
        return Watcher.NONE;
    }

    /** All is done. */
    default void ends() {}
}
