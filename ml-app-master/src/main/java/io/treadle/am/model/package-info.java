// SPDX-License-Identifier: Apache-2.0
/** What files of models may hold: looked at before they are uploaded, and before they are loaded. */
@NullMarked
package io.treadle.am.model;

import org.jspecify.annotations.NullMarked;
