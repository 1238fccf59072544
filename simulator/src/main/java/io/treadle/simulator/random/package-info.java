// SPDX-License-Identifier: Apache-2.0
/** Random numbers as published simulators draw them. */
@NullMarked
package io.treadle.simulator.random;

import org.jspecify.annotations.NullMarked;
