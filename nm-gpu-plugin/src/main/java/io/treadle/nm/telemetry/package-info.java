/** Readings of the devices, to metrics2 and to ZooKeeper. */
@NullMarked
package io.treadle.nm.telemetry;

import org.jspecify.annotations.NullMarked;
