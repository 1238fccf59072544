/** Jobs with task groups: what is known of each, and what keeps their containers out of CapacityScheduler's own walk. */
@NullMarked
package io.treadle.rm.gang;

import org.jspecify.annotations.NullMarked;
