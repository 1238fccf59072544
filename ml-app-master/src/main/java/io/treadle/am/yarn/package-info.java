// SPDX-License-Identifier: Apache-2.0
/** YARN as an ApplicationMaster sees it: what it asks for, what it is told, and the secrets that it was given. */
@NullMarked
package io.treadle.am.yarn;

import org.jspecify.annotations.NullMarked;
