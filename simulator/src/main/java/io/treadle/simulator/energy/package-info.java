// SPDX-License-Identifier: Apache-2.0
/** What simulated jobs and nodes draw. */
@NullMarked
package io.treadle.simulator.energy;

import org.jspecify.annotations.NullMarked;
