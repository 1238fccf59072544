// SPDX-License-Identifier: Apache-2.0
/** Recomputes from what a run told its journal whether it can have been so, without the engine's own sums. */
@NullMarked
package io.treadle.simulator.check;

import org.jspecify.annotations.NullMarked;
