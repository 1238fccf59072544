/** Rounds of a ResourceManager, written down so that they can be planned again. */
@NullMarked
package io.treadle.core.record;

import org.jspecify.annotations.NullMarked;
