/** Every touch of CapacityScheduler's unstable classes: snapshots out of its state, plans into it. */
@NullMarked
package io.treadle.rm.bridge;

import org.jspecify.annotations.NullMarked;
