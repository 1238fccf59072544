/** The daemon that sets power limits as root for a NodeManager that is not. */
@NullMarked
package io.treadle.nm.power.helper;

import org.jspecify.annotations.NullMarked;
