// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.List;

/** Chooses GPUs and power caps of jobs, wherever they will be. */
interface Chooser {
    /** Whether it gives jobs other numbers of GPUs than their least; otherwise they come with the one that they ask for. */
    boolean scales();

    /** For those that are to run, in the order in which they are to find room. */
    List<Choice> choose(Situation situation);
}
