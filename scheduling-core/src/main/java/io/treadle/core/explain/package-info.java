/** Why a job waits or has what it has: as data, and as the one line that a person reads. */
@NullMarked
package io.treadle.core.explain;

import org.jspecify.annotations.NullMarked;
