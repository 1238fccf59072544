/** How a job's speed depends on what it gets. */
@NullMarked
package io.treadle.core.model;

import org.jspecify.annotations.NullMarked;
