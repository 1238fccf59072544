/** Runs Hadoop's own tests of CapacityScheduler on CapacityScheduler and on TreadleScheduler, and compares. */
@NullMarked
package io.treadle.rm.hadooptests;

import org.jspecify.annotations.NullMarked;
