// SPDX-License-Identifier: Apache-2.0
/** The nodes of a simulated cluster and the partitions over them. */
@NullMarked
package io.treadle.simulator.cluster;

import org.jspecify.annotations.NullMarked;
