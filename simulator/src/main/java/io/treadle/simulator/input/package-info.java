// SPDX-License-Identifier: Apache-2.0
/** Files that people bring, read with errors that name file, row, column and value. */
@NullMarked
package io.treadle.simulator.input;

import org.jspecify.annotations.NullMarked;
