// SPDX-License-Identifier: Apache-2.0
/** What is told of simulated queries: tables, files and a page. */
@NullMarked
package io.treadle.simulator.query.result;

import org.jspecify.annotations.NullMarked;
