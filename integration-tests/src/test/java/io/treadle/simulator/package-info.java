// SPDX-License-Identifier: Apache-2.0
/** The simulator's report in a real browser. */
@NullMarked
package io.treadle.simulator;

import org.jspecify.annotations.NullMarked;
