// SPDX-License-Identifier: Apache-2.0
/** A trace read, its cluster, and policies run on both into a directory: what every command of the simulator does. */
@NullMarked
package io.treadle.simulator.replay;

import org.jspecify.annotations.NullMarked;
