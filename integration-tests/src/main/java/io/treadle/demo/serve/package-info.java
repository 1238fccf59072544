// SPDX-License-Identifier: Apache-2.0
/** What {@code treadle demo --serve} is made of: models of digits, load, and how policies compare. */
@NullMarked
package io.treadle.demo.serve;

import org.jspecify.annotations.NullMarked;
