// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

/**
 * What is tried: so many nodes under a policy.
 *
 * @param shares of queues, where those are what is looked for
 */
record Candidate(int nodes, String policy, Shares shares) {
    /** With the queues as they are. */
    Candidate(int nodes, String policy) {
        this(nodes, policy, Shares.NONE);
    }

    /** In words. */
    String text() {
        return (shares.isEmpty() ? Planner.nodes(nodes) : shares.shortText()) + ", " + policy;
    }
}
