/** How fast a job with workers and parameter servers is, and how that is found out. */
@NullMarked
package io.treadle.core.model.ps;

import org.jspecify.annotations.NullMarked;
