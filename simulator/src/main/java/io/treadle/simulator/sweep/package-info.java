// SPDX-License-Identifier: Apache-2.0
/** Many replays of one kind: policies at several loads, seeds and sizes of the cluster. */
@NullMarked
package io.treadle.simulator.sweep;

import org.jspecify.annotations.NullMarked;
