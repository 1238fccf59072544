// SPDX-License-Identifier: Apache-2.0
/** What a running ResourceManager is asked. */
@NullMarked
package io.treadle.simulator.yarn;

import org.jspecify.annotations.NullMarked;
