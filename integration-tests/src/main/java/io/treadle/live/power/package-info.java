/** Jobs under a power budget on an embedded cluster, beside what the simulator foretells of them. */
@NullMarked
package io.treadle.live.power;

import org.jspecify.annotations.NullMarked;
