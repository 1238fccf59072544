// SPDX-License-Identifier: Apache-2.0
/** Treadle on ResourceManager and NodeManagers that are processes of their own, started as an admin would start them. */
@NullMarked
package io.treadle.processes;

import org.jspecify.annotations.NullMarked;
