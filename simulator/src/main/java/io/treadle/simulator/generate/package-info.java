// SPDX-License-Identifier: Apache-2.0
/** Traces drawn from published distributions, and the checks that they follow them. */
@NullMarked
package io.treadle.simulator.generate;

import org.jspecify.annotations.NullMarked;
