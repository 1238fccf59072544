/** In which order jobs are served. */
@NullMarked
package io.treadle.core.policy.order;

import org.jspecify.annotations.NullMarked;
