/** Optimistic profiling: which size to measure next, how long, and what was found. Pure: time comes in as arguments. */
@NullMarked
package io.treadle.am.profile;

import org.jspecify.annotations.NullMarked;
