/** The environment that a worker's training framework reads. No Hadoop class. */
@NullMarked
package io.treadle.am.framework;

import org.jspecify.annotations.NullMarked;
