// SPDX-License-Identifier: Apache-2.0
/** Texts of others, as they may be shown. */
@NullMarked
package io.treadle.core.text;

import org.jspecify.annotations.NullMarked;
