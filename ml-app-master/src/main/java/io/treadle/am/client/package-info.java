/** Checks, submits and follows jobs: the library behind {@code yarn jar treadle-am.jar} and {@code treadle demo}. */
@NullMarked
package io.treadle.am.client;

import org.jspecify.annotations.NullMarked;
