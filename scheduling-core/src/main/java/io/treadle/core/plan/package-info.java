/** What a policy decided, and the check that every decision holds. */
@NullMarked
package io.treadle.core.plan;

import org.jspecify.annotations.NullMarked;
