// SPDX-License-Identifier: Apache-2.0
/** What the guides tell people to do, done. */
@NullMarked
package io.treadle.guide;

import org.jspecify.annotations.NullMarked;
