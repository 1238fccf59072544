// SPDX-License-Identifier: Apache-2.0
/** Files that are written whole or not at all. */
@NullMarked
package io.treadle.simulator.files;

import org.jspecify.annotations.NullMarked;
