/** The storage bandwidth of the node: a setting, or a measurement. */
@NullMarked
package io.treadle.nm.storage;

import org.jspecify.annotations.NullMarked;
