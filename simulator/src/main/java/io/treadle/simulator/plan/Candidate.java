// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

/** What is tried: so many nodes under a policy. */
record Candidate(int nodes, String policy) {}
