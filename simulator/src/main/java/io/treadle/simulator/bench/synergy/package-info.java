// SPDX-License-Identifier: Apache-2.0
/** Synergy's published rules and ours on the work of its experiments, in its simulator and in ours. */
@NullMarked
package io.treadle.simulator.bench.synergy;

import org.jspecify.annotations.NullMarked;
