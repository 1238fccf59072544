// SPDX-License-Identifier: Apache-2.0
/** An ApplicationMaster as a process, whatever its application is: how it starts, what it keeps, and how it ends. */
@NullMarked
package io.treadle.am.process;

import org.jspecify.annotations.NullMarked;
