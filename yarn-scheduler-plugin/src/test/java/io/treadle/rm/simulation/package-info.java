// SPDX-License-Identifier: Apache-2.0
/**
 * Our scheduler and Hadoop's ResourceManager in one process, driven by events from a seed. Time, threads and messages are
 * under the control of the simulation, and the books of both are checked after every event.
 */
@NullMarked
package io.treadle.rm.simulation;

import org.jspecify.annotations.NullMarked;
