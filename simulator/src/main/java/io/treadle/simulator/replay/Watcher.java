// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import java.util.function.LongConsumer;

/** Is told how far the runs of a directory are. */
public interface Watcher {
    /** Somebody who does not want to know. */
    Watcher NONE = new Watcher() {};

    /**
     * A policy begins.
     *
     * @param jobs how many there are
     * @return is told now and then how many jobs have ended
     */
    default LongConsumer begins(String policy, long jobs) {
        return ended -> {};
    }

    /** The policy that began last is done. */
    default void done() {}

    /** Something that people should know. */
    default void says(String line) {}
}
