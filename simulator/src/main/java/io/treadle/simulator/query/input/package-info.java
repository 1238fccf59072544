// SPDX-License-Identifier: Apache-2.0
/** Workflows and requests from files, and drawn ones. */
@NullMarked
package io.treadle.simulator.query.input;

import org.jspecify.annotations.NullMarked;
