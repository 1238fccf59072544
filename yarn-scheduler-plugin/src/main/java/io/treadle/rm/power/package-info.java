/** What the cluster draws, who spent it, what it may draw, and the caps that keep it there: power in W, energy in J. */
@NullMarked
package io.treadle.rm.power;

import org.jspecify.annotations.NullMarked;
