// SPDX-License-Identifier: Apache-2.0
/** Nodes that nobody uses are switched off, and on again when something waits for them. */
@NullMarked
package io.treadle.rm.sleep;

import org.jspecify.annotations.NullMarked;
