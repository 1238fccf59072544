// SPDX-License-Identifier: Apache-2.0
/** What the node plugin costs its NodeManager. */
@NullMarked
package io.treadle.telemetry;

import org.jspecify.annotations.NullMarked;
