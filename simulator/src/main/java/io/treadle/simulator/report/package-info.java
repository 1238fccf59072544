// SPDX-License-Identifier: Apache-2.0
/** What happened in a run, kept in little room, and the page and the logs that show it. */
@NullMarked
package io.treadle.simulator.report;

import org.jspecify.annotations.NullMarked;
