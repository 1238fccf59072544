// SPDX-License-Identifier: Apache-2.0
/** A service's ApplicationMaster: its workers as containers of YARN. */
@NullMarked
package io.treadle.am.service;

import org.jspecify.annotations.NullMarked;
