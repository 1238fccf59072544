// SPDX-License-Identifier: Apache-2.0
/** {@code treadle demo --ps}: a job with parameter servers is measured, sized and resized while it trains. */
@NullMarked
package io.treadle.demo.servers;

import org.jspecify.annotations.NullMarked;
