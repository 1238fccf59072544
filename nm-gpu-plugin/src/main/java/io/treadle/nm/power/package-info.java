/** Power caps of the node's GPUs: who sets them, what they were before, and when they are taken back. */
@NullMarked
package io.treadle.nm.power;

import org.jspecify.annotations.NullMarked;
