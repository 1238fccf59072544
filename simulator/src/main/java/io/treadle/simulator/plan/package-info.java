// SPDX-License-Identifier: Apache-2.0
/** Capacity planning: the smallest cluster, the policy or the split of nodes with which goals hold, and what it costs. */
@NullMarked
package io.treadle.simulator.plan;

import org.jspecify.annotations.NullMarked;
