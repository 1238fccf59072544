/** TreadleScheduler and the planner thread behind it. */
@NullMarked
package io.treadle.rm.scheduler;

import org.jspecify.annotations.NullMarked;
