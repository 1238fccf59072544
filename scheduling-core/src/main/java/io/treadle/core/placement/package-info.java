/** On which nodes and devices the tasks of a job go. */
@NullMarked
package io.treadle.core.placement;

import org.jspecify.annotations.NullMarked;
