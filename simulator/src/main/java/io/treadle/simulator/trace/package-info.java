// SPDX-License-Identifier: Apache-2.0
/** Jobs of a trace, from the formats that people have. */
@NullMarked
package io.treadle.simulator.trace;

import org.jspecify.annotations.NullMarked;
