// SPDX-License-Identifier: Apache-2.0
/** Problems of choice with a bound on what no choice can reach. */
@NullMarked
package io.treadle.core.solve;

import org.jspecify.annotations.NullMarked;
