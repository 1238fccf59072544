// SPDX-License-Identifier: Apache-2.0
/** Queries of several steps on simulated workers, placed by the rules that a live service runs. */
@NullMarked
package io.treadle.simulator.query.engine;

import org.jspecify.annotations.NullMarked;
