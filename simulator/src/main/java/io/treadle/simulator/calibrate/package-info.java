// SPDX-License-Identifier: Apache-2.0
/** How far a replay of a history is from what really happened. */
@NullMarked
package io.treadle.simulator.calibrate;

import org.jspecify.annotations.NullMarked;
