// SPDX-License-Identifier: Apache-2.0
/** The event loop: jobs come, run and end on a simulated cluster under a policy of scheduling-core. */
@NullMarked
package io.treadle.simulator.engine;

import org.jspecify.annotations.NullMarked;
