// SPDX-License-Identifier: Apache-2.0
/** Tests of what is handed out: the tarball, the ready-made configuration and the documentation. */
@NullMarked
package io.treadle.dist;

import org.jspecify.annotations.NullMarked;
