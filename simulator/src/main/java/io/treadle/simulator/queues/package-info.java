/** Queues that share a partition by guaranteed and maximum capacities, as YARN's CapacityScheduler serves them. */
@NullMarked
package io.treadle.simulator.queues;

import org.jspecify.annotations.NullMarked;
