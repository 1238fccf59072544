// SPDX-License-Identifier: Apache-2.0
/** What a simulation found, and the files that say it. */
@NullMarked
package io.treadle.simulator.result;

import org.jspecify.annotations.NullMarked;
