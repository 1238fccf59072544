/** The settings of the NodeManager plugin. */
@NullMarked
package io.treadle.nm.conf;

import org.jspecify.annotations.NullMarked;
