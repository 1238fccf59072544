// SPDX-License-Identifier: Apache-2.0
/** What Compass, as it was published and with our rules, makes of queries, beside what it is compared to. */
@NullMarked
package io.treadle.simulator.bench.compass;

import org.jspecify.annotations.NullMarked;
