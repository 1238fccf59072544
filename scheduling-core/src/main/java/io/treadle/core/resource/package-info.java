/** Value records for what a job can use, with their units. */
@NullMarked
package io.treadle.core.resource;

import org.jspecify.annotations.NullMarked;
