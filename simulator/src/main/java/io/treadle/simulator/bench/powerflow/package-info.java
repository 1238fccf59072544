// SPDX-License-Identifier: Apache-2.0
/** What PowerFlow's rule, ours and others make of the same energy. */
@NullMarked
package io.treadle.simulator.bench.powerflow;

import org.jspecify.annotations.NullMarked;
