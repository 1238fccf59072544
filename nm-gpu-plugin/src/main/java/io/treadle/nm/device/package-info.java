/** Devices of a node: where they come from, who holds them, and what the node advertises. */
@NullMarked
package io.treadle.nm.device;

import org.jspecify.annotations.NullMarked;
