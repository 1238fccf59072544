/** How much CPU and memory each served job gets. */
@NullMarked
package io.treadle.core.policy.allocation;

import org.jspecify.annotations.NullMarked;
