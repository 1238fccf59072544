/** What the cluster draws and may draw, and the caps that keep it there. */
@NullMarked
package io.treadle.rm.power;

import org.jspecify.annotations.NullMarked;
