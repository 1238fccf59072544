// SPDX-License-Identifier: Apache-2.0
/** How much energy a cluster or a queue may use, and what that means at each moment. */
@NullMarked
package io.treadle.core.budget;

import org.jspecify.annotations.NullMarked;
