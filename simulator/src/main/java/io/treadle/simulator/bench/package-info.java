// SPDX-License-Identifier: Apache-2.0
/** What the simulator costs: the same runs again and again, each in a JVM of its own, beside what others cost. */
@NullMarked
package io.treadle.simulator.bench;

import org.jspecify.annotations.NullMarked;
