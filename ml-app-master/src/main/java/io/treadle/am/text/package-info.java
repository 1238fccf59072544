// SPDX-License-Identifier: Apache-2.0
/** Texts of others, made fit to be shown. */
@NullMarked
package io.treadle.am.text;

import org.jspecify.annotations.NullMarked;
